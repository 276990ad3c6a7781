import * as t from 'io-ts'

/** Who somebody is (D42): `roles` are those of today, `chatId` is null where no chat account is linked. */
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
