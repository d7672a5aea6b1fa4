package parser

import "github.com/toolparse/toolparse/dialect"

type (
	Dialect             = dialect.Dialect
	Form                = dialect.Form
	Pair                = dialect.Pair
	Frame               = dialect.Frame
	Place               = dialect.Place
	Head                = dialect.Head
	HeadForm            = dialect.HeadForm
	Args                = dialect.Args
	ArgsForm            = dialect.ArgsForm
	Layout              = dialect.Layout
	Reasoning           = dialect.Reasoning
	Shorthand           = dialect.Shorthand
	Channels            = dialect.Channels
	Written             = dialect.Written
	Keeps               = dialect.Keeps
	Results             = dialect.Results
	Show                = dialect.Show
	ShowPlace           = dialect.ShowPlace
	ToolLayout          = dialect.ToolLayout
	ToolForm            = dialect.ToolForm
	UnknownDialectError = dialect.UnknownError
)

const (
	AtLine  = dialect.AtLine
	AtStart = dialect.AtStart

	HeadAttribute = dialect.HeadAttribute
	HeadEnvelope  = dialect.HeadEnvelope
	HeadHeader    = dialect.HeadHeader
	HeadLiteral   = dialect.HeadLiteral
	HeadKey       = dialect.HeadKey

	ArgsTags   = dialect.ArgsTags
	ArgsJSON   = dialect.ArgsJSON
	ArgsPairs  = dialect.ArgsPairs
	ArgsPython = dialect.ArgsPython
	ArgsGemma  = dialect.ArgsGemma
	ArgsYAML   = dialect.ArgsYAML
	ArgsRaw    = dialect.ArgsRaw

	PythonScalars = dialect.PythonScalars
	PythonAll     = dialect.PythonAll

	LayoutLines = dialect.LayoutLines
	LayoutTrim  = dialect.LayoutTrim

	KeepsTurn = dialect.KeepsTurn
	KeepsAll  = dialect.KeepsAll

	ShowBefore    = dialect.ShowBefore
	ShowFirst     = dialect.ShowFirst
	ShowSecond    = dialect.ShowSecond
	ShowFirstUser = dialect.ShowFirstUser
	ShowLastUser  = dialect.ShowLastUser

	ToolOpenAI     = dialect.ToolOpenAI
	ToolPlain      = dialect.ToolPlain
	ToolMCP        = dialect.ToolMCP
	ToolXML        = dialect.ToolXML
	ToolTags       = dialect.ToolTags
	ToolTypeScript = dialect.ToolTypeScript
	ToolPython     = dialect.ToolPython
	ToolLines      = dialect.ToolLines
	ToolGemma      = dialect.ToolGemma
)

func Dialects() []*Dialect                            { return dialect.All() }
func Named(name, provider string) ([]*Dialect, error) { return dialect.Named(name, provider) }
func ForModel(id string) (*Dialect, bool)             { return dialect.ForModel(id) }
func ModelPatterns(d *Dialect) []string               { return dialect.ModelPatterns(d) }
