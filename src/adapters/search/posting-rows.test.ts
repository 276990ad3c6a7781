import { deepEqual } from 'node:assert/strict'
import type { Statement } from '../runtime/sqlite.js'
import { openPostingRows, type PostingRows } from './fts5-candidates.js'

const pieceLength = 3

/** The rows of two tokens. */
const openRows = (max: number): PostingRows => {
  const rowsOf = new Map([
    ['"a"', [9, 7, 5, 4, 1]],
    ['"b"', [8, 6]],
  ])
  const column: Statement['column'] = (expression, low, high, limit) => {
    const rows = rowsOf.get(String(expression)) ?? []
    return rows.filter(row => row >= Number(low) && row <= Number(high)).slice(0, Number(limit))
  }
  return openPostingRows({ run: () => 0, all: () => [], column }, pieceLength, max)
}

describe('the rows of a token', () => {
  it('come in pieces, the newest first', () => {
    const postings = openRows(100)
    deepEqual([...postings.pieceOf('a', 10)], [9, 7, 5])
    deepEqual([...postings.pieceOf('a', 4)], [4, 1])
    deepEqual([...postings.select('"a"', 4, 8, 2)], [7, 5])
  })
  it('are the same after rows that were asked for later took their room', () => {
    const postings = openRows(5)
    postings.pieceOf('a', 10)
    postings.pieceOf('b', 10)
    postings.pieceOf('a', 10)
    postings.pieceOf('a', 4)
    deepEqual([...postings.pieceOf('a', 10)], [9, 7, 5])
    deepEqual([...postings.pieceOf('b', 10)], [8, 6])
  })
})
