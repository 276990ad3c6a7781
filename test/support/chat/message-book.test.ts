import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import type { WireRequest } from './chat-contract.js'
import { openMessageBook } from './message-book.js'

const post = (content: string, more: object, path = '/channels/11/messages'): WireRequest => ({
  method: 'POST',
  path,
  headers: {},
  body: JSON.stringify({ content, ...more }),
})
const nonceBody = (nonce: string): object => ({ nonce, enforce_nonce: true })

describe('the messages of the modelled platform', () => {
  it('are one for a nonce of a channel within the window, and two behind it', () => {
    const book = openMessageBook(1_000)
    const ids = [0, 999, 1_000].map(atMs => book.post(post('a', nonceBody('n')), atMs))
    deepEqual(ids, ['556', '556', '557'])
    deepEqual(book.post(post('a', nonceBody('n'), '/channels/12/messages'), 1_000), '558')
  })

  it('are many where the nonce is not enforced', () => {
    const book = openMessageBook(1_000)
    for (const more of [{}, { nonce: 'n' }, { nonce: 'n' }]) book.post(post('a', more), 0)
    deepEqual(
      book.messages.map(({ nonce }) => nonce),
      [null, null, null],
    )
  })
})
