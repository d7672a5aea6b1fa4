package mcp

// For the tests of other packages.
var NewCaller = newCaller

type SingleCall = singleCall

type ConfigError = configError
