// Package ollama reads Ollama's /api/chat.
package ollama
