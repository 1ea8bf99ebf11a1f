// Package textedit changes texts: it finds what edits name, applies all of them
// or none, and shows the difference. It knows no files.
package textedit
