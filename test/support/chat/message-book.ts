import { jsonField } from '../json-field.js'
import type { WireRequest } from './chat-contract.js'

/** A message that is in a channel of the platform. */
export interface BookedMessage {
  readonly id: string
  readonly path: string
  readonly content: string
  /** Null where the request had none, or did not ask the platform to enforce it. */
  readonly nonce: string | null
}

/** The messages of a modelled platform. */
export interface MessageBook {
  readonly messages: ReadonlyArray<BookedMessage>
  /** Posts a message at a monotonic time; returns its id, or that of the message that has its nonce already. */
  readonly post: (request: WireRequest, nowMs: number) => string
}

const firstId = 556

/** Opens a book that remembers a nonce of a channel for `nonceWindowMs` after its message. */
export const openMessageBook = (nonceWindowMs: number): MessageBook => {
  const messages: Array<BookedMessage> = []
  const remembered = new Map<string, { readonly id: string; readonly atMs: number }>()
  return {
    messages,
    post: ({ path, body }, nowMs) => {
      const message: unknown = JSON.parse(body)
      const given = jsonField(message, 'enforce_nonce') === true ? jsonField(message, 'nonce') : null
      const nonce = typeof given === 'string' ? given : null
      const key = `${path} ${nonce ?? ''}`
      const known = nonce === null ? undefined : remembered.get(key)
      if (known !== undefined && nowMs - known.atMs < nonceWindowMs) return known.id
      const id = String(firstId + messages.length)
      messages.push({ id, path, content: String(jsonField(message, 'content')), nonce })
      if (nonce !== null) remembered.set(key, { id, atMs: nowMs })
      return id
    },
  }
}
