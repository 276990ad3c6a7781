import { type RefusalOf, refuse } from '#protocol/refusal.js'

/** Refusals that the worker shows to players, and so in Polish; no gender, no case of a name (ADR 0203). */

export const nobodyHas = (gameId: string): RefusalOf<'no_gracz_for_game_id'> =>
  refuse(
    'no_gracz_for_game_id',
    `Żaden Gracz nie ma dziś id „${gameId}”. Warto sprawdzić, czy id jest poprawne.`,
  )

export const severalHave = (gameId: string, matches: ReadonlyArray<string>): RefusalOf<'ambiguous_game_id'> =>
  refuse(
    'ambiguous_game_id',
    matches.length > 1
      ? `Id ${gameId} ma dziś więcej niż jeden Gracz. Potrzebna jest poprawka w pliku kontrybutorów.`
      : `Gracz z id ${gameId} ma dziś więcej niż jedno id. Potrzebna jest poprawka w pliku kontrybutorów.`,
    { matches },
  )

export const storeUnreadable = (file: string): RefusalOf<'StoreUnreadable'> =>
  refuse(
    'StoreUnreadable',
    `Plik ${file} jest uszkodzony albo coś występuje w nim dwa razy, więc nic nie zostało zapisane. ` +
      'Najpierw trzeba go poprawić.',
    { file },
  )

export const storeFull = (file: string): RefusalOf<'StoreUnreadable'> =>
  refuse(
    'StoreUnreadable',
    `Plik ${file} byłby za długi, żeby go odczytać, więc nic nie zostało zapisane. Najpierw trzeba go skrócić.`,
    { file },
  )

export const registrationDisabled: RefusalOf<'registration_disabled'> = refuse(
  'registration_disabled',
  'Rejestracja przez czat jest tu wyłączona. Może ją włączyć osoba, która prowadzi tę kronikę.',
)

export const needsGuild: RefusalOf<'registration_needs_guild'> = refuse(
  'registration_needs_guild',
  'To polecenie działa tylko na serwerze czatu, nie w wiadomości prywatnej.',
)

export const wrongGuild: RefusalOf<'wrong_guild'> = refuse(
  'wrong_guild',
  'To polecenie działa tylko na serwerze czatu, z którym jest połączona ta kronika.',
)

export const reserved = (gameId: string): RefusalOf<'registration_reserved'> =>
  refuse(
    'registration_reserved',
    `Id ${gameId} daje więcej niż uprawnienia gracza. Takie konto może powiązać tylko osoba z odpowiednią rolą.`,
  )

export const rolesUnreadable: RefusalOf<'roles_unreadable'> = refuse(
  'roles_unreadable',
  'Nie udało się odczytać ról z serwera czatu, więc nie wiadomo, kto co może. Warto spróbować później.',
)

export const invokerHasNoRoles: RefusalOf<'invoker_has_no_roles'> = refuse(
  'invoker_has_no_roles',
  'To polecenie wymaga roli na serwerze czatu, a konto, z którego przyszło, nie ma żadnej.',
)

export const noRoleDeclared: RefusalOf<'no_role_declared'> = refuse(
  'no_role_declared',
  'Żadna rola w pliku kontrybutorów nie ma wiersza @chat_rola, więc nikt nie może powiązać cudzego konta.',
)

export const notAuthorised = (declared: ReadonlyArray<string>): RefusalOf<'not_authorised'> => {
  const roles = declared.map(name => `„${name}”`).join(', ')
  return refuse(
    'not_authorised',
    `Cudze konto może powiązać tylko osoba z jedną z ról na serwerze czatu: ${roles}.`,
    { Declared: declared },
  )
}

export const roleTooWeak = (role: string, required: string): RefusalOf<'RoleTooWeak'> =>
  refuse('RoleTooWeak', `Rola „${role}” nie obejmuje uprawnienia ${required}, które daje to id.`, {
    role,
    required,
  })
