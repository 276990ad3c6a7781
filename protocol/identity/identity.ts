import * as t from 'io-ts'

/** A person's identity (D42): `roles` are those of today, `chatId` is null when no chat account is linked. */
export const Identity = t.readonly(
  t.type({
    gameId: t.string,
    name: t.string,
    roles: t.readonlyArray(t.string),
    chatId: t.union([t.string, t.null]),
  }),
  'Identity',
)
export type Identity = t.TypeOf<typeof Identity>
