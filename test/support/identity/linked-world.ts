import { bindingsPath } from '#src/domain/identity/bindings.js'
import type { TestFront } from '#test/support/front.js'
import type { Reply } from '#test/support/http-client.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const since = '2026-01-01T00:00:00.000Z'

export const rowOfBinding = (chatId: string, gameId: string) => ({ chatId, gameId, since, by: 'x' })

/** People in every situation that matters for a binding, and a few bound accounts. */
export const linkedFiles = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `## Gracz
### Brzoza
- @gameid: 1
- @alias: Brzózka
### Żaneta
- @gameid: 2
- @rola: Narrator
### Karol
- @gameid: 3
- @rola: Radny
### Wit
- @gameid: 4
### Sobowtór
- @gameid: 4
### Dwojga Ids
- @gameid: 5
- @gameid: 6
### Nadana
- @gameid: 7
### Olcha
- @gameid: 8
### Dawny
- @gameid: 9 (:2025-12)
## Role
### Narrator
- @chat_rola: Narratorzy
### Radny
- @chat_rola: Rada Miasta
- @chat_rola: Rada Dawna
`,
  '.svc/grants.json': JSON.stringify({
    grants: [{ gameId: '7', capability: 'capability.admin', since, by: 'x' }],
  }),
  [bindingsPath]: JSON.stringify({
    bindings: [
      rowOfBinding('111', '1'),
      rowOfBinding('333', '3'),
      rowOfBinding('777', '7'),
      rowOfBinding('999', '9'),
    ],
  }),
}

export const makeLinkedWorld = (files: Readonly<Record<string, string>> = {}) =>
  worldOf({ ...linkedFiles, ...files })

/** The current bindings, as `account=id`. */
export const listBoundPairs = (front: TestFront): ReadonlyArray<string> =>
  [...(front.world()?.bindings.byChat ?? [])].map(([chat, { gameId }]) => `${chat}=${gameId}`).sort()

/** The current text of the committed file. */
export const bindingsFile = (front: TestFront): string | undefined => {
  const world = front.world()
  return world === null ? undefined : textsOf(world)[bindingsPath]
}

export const post = (front: TestFront, path: string, body: object, token?: string): Promise<Reply> =>
  front.client.ask(path, {
    method: 'POST',
    body: JSON.stringify(body),
    ...(token === undefined ? {} : { token }),
  })
