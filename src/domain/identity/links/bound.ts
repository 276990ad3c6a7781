import type { Binding, Bindings } from './bindings.js'

/** The result of binding an account, with the bindings that it ends. */
export interface AccountBinding {
  readonly binding: Binding
  /** Whether the binding exists already, so that there is nothing to write. */
  readonly alreadyLinked: boolean
  /** The account that has spoken for the id until now and loses it; null when there is none. */
  readonly displaces: string | null
  /** The id that the account has spoken for until now; null when there is none. */
  readonly replaces: string | null
  /** All bindings of the file afterwards. */
  readonly after: ReadonlyArray<Binding>
}

/** Binds an account to an id. Afterwards both occur in exactly one binding (A 4.4.4); other bindings stay. */
export const bindAccount = (
  { byChat, byGame }: Bindings,
  stored: ReadonlyArray<Binding>,
  binding: Binding,
): AccountBinding => {
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
