import * as t from 'io-ts'

const textOf = (name: string, isOne: (text: string) => boolean): t.Type<string, string, unknown> =>
  new t.Type<string, string, unknown>(
    name,
    (u): u is string => typeof u === 'string' && isOne(u),
    (u, context) => (typeof u === 'string' && isOne(u) ? t.success(u) : t.failure(u, context)),
    t.identity,
  )

/**
 * An id of the chat, of an account, a guild or a role: letters, digits and `_.-`, 64 at most
 * (docs/spec/chat-workflows.md#a-4-4).
 */
export const ChatId = textOf('ChatId', text => /^[0-9A-Za-z_.-]{1,64}$/.test(text))

/** An id of the game as a person enters it: one line of at most 64 visible characters. */
export const GameId = textOf(
  'GameId',
  text => text.trim() !== '' && text.length <= 64 && !/[\p{C}\u2028\u2029]/u.test(text),
)
