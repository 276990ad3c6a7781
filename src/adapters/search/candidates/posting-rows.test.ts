import { deepEqual } from 'node:assert/strict'
import type { Statement } from '../../runtime/sqlite.js'
import { openPostingRows, type PostingRows } from './posting-rows.js'

const pieceLength = 3

/** The rows of two tokens, and the questions that reached the file. */
const openRows = (max: number): { readonly postings: PostingRows; readonly asked: Array<string> } => {
  const rowsOf = new Map([
    ['"a"', [9, 7, 5, 4, 1]],
    ['"b"', [8, 6]],
  ])
  const asked: Array<string> = []
  const column: Statement['column'] = (expression, low, high, limit) => {
    asked.push(`${String(expression)} ${String(high)}`)
    const rows = rowsOf.get(String(expression)) ?? []
    return rows.filter(row => row >= Number(low) && row <= Number(high)).slice(0, Number(limit))
  }
  return { postings: openPostingRows({ run: () => 0, all: () => [], column }, pieceLength, max), asked }
}

describe('the rows of a token', () => {
  it('come in pieces, the newest first', () => {
    const { postings } = openRows(100)
    deepEqual([...postings.pieceOf('a', 10)], [9, 7, 5])
    deepEqual([...postings.pieceOf('a', 4)], [4, 1])
    deepEqual([...postings.select('"a"', 4, 8, 2)], [7, 5])
  })
  it('are read once', () => {
    const { postings, asked } = openRows(100)
    for (let turn = 0; turn < 3; turn += 1) deepEqual([...postings.pieceOf('b', 10)], [8, 6])
    deepEqual(asked, ['"b" 10'])
  })
  it('are read again after rows that were asked for later took their room', () => {
    const { postings, asked } = openRows(5)
    postings.pieceOf('a', 10)
    postings.pieceOf('b', 10)
    postings.pieceOf('a', 10)
    postings.pieceOf('a', 4)
    deepEqual([...postings.pieceOf('a', 10)], [9, 7, 5])
    deepEqual(asked, ['"a" 10', '"b" 10', '"a" 4'])
    deepEqual([...postings.pieceOf('b', 10)], [8, 6])
    deepEqual(asked.length, 4)
  })
})
