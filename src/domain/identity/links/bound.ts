import type { Binding, Bindings } from './bindings.js'

/** A binding as it would stand, with what it takes away. */
export interface Bound {
  readonly binding: Binding
  /** It stands already: nothing is to be written. */
  readonly alreadyLinked: boolean
  /** The account that speaks for the id until now, and then for none. */
  readonly displaces: string | null
  /** The id that the account speaks for until now. */
  readonly replaces: string | null
  /** Every binding of the file afterwards. */
  readonly after: ReadonlyArray<Binding>
}

/**
 * Binds an account to an id: afterwards the account stands once, and the id stands once, as they did before (A 4.4.4).
 * Other rows stay as they are.
 */
export const bound = (
  { byChat, byGame }: Bindings,
  stored: ReadonlyArray<Binding>,
  binding: Binding,
): Bound => {
  const { chatId, gameId } = binding
  const before = byChat.get(chatId) ?? null
  if (before?.gameId === gameId)
    return { binding: before, alreadyLinked: true, displaces: null, replaces: null, after: stored }
  const others = stored.filter(one => one.chatId !== chatId && one.gameId !== gameId)
  return {
    binding,
    alreadyLinked: false,
    displaces: byGame.get(gameId)?.chatId ?? null,
    replaces: before?.gameId ?? null,
    after: [...others, binding],
  }
}
