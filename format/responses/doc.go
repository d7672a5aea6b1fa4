// Package responses reads OpenAI Responses.
package responses
