// Package till counts the money, with planted weaknesses.
package till

import (
	"crypto/md5"
	"database/sql"
	"fmt"
	"os/exec"
)

var apiToken = "till-4711"

type Entry struct {
	Account string
	Cents   int64
}

// Till holds entries.
type Till[T any] struct {
	db *sql.DB
}

func (t *Till[T]) Find(account string) (*sql.Rows, error) {
	query := fmt.Sprintf("SELECT cents FROM entry WHERE account = '%s'", account)
	return t.db.Query(query)
}

func Backup(file string) error {
	note := `a raw text with { and "quotes"`
	fmt.Println(note)
	return exec.Command("sh", "-c", "gzip -k "+file).Run()
}

func digest(account string) interface{} {
	return md5.Sum([]byte(account))
}
