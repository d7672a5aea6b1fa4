// Package gemini reads Gemini's generateContent and streamGenerateContent.
package gemini
