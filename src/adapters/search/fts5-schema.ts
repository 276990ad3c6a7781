import { openSqlite, type Sqlite } from '../runtime/sqlite.js'

/**
 * The file of a large tier. `posting` has a token for each word of a document, named by the number of the word;
 * a word that occurs n times also has the tokens of 2 to n, so that counts are found by their token. The text
 * itself is in no table.
 */
const schema = `
CREATE VIRTUAL TABLE posting USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE TABLE word (
  id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, documents INTEGER NOT NULL, most INTEGER NOT NULL);
CREATE TABLE source (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, base TEXT NOT NULL);
CREATE TABLE document (
  row INTEGER PRIMARY KEY, source INTEGER NOT NULL, head TEXT NOT NULL, words TEXT NOT NULL);
CREATE INDEX document_source ON document (source);
CREATE TABLE facts (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);
`

/** No document counts a word more often than this. */
export const countMax = 32

/** The token of a word that occurs at least `count` times. Numbers have the base 35, so `z` parts them. */
export const wordToken = (word: number, count = 1): string =>
  count === 1 ? word.toString(35) : `${word.toString(35)}z${count.toString(35)}`

/** A word of a document and how often it occurs, as `document.words` keeps them. */
export const parseWords = (text: string): ReadonlyArray<readonly [word: number, count: number]> =>
  text.split(' ').flatMap(one => {
    const [word = '', count = '1'] = one.split('z')
    return word === '' ? [] : [[Number.parseInt(word, 35), Number.parseInt(count, 35)] as const]
  })

/** Makes the file durable only at its end: it has another name until then. */
export const openForBuild = (path: string): Sqlite => {
  const sqlite = openSqlite(path, 0)
  sqlite.pragma('journal_mode = OFF')
  sqlite.pragma('synchronous = OFF')
  sqlite.pragma('locking_mode = EXCLUSIVE')
  return sqlite
}

export const createSchema = (sqlite: Sqlite): void => sqlite.exec(schema)
