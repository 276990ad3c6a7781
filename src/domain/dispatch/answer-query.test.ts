import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import type { QueryIntent } from '#protocol/chat/dispatch.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { queryGroundAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { worldOf } from '#test/support/world.js'
import { answerQuery } from './answer-query.js'

const files = {
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': `## Gracz
### Brzoza
- @gameid: 1
- @alias: Brzózka
- @rola: Narrator
### Żaneta
- @gameid: 2
### Sobowtór
- @gameid: 3
### Drugi
- @gameid: 3
`,
  'encje/indeks.md': `### Wit Kłos
- @typ: Postać
- @należy_do: Brzoza
- @lokacja: Zamorze
- @pu_startowe: 20
- @pu_suma: 22.5
- @pu_nadmiar: 0

### Duch
- @typ: Postać
- @należy_do: Brzoza
- @status: Nieaktywny

### Cudza
- @typ: Postać
- @należy_do: Żaneta
- @pu_suma: 99

### Zamorze
- @typ: Lokacja
`,
  'sesje/2026.md': `### 2026-06-01, Most, Brzoza
- PU:
    - Wit Kłos: 1.5
    - Cudza: 1

### 2026-06-03, Wieża, Brzózka
- PU:
    - Wit Kłos: 0.25

### 2026-05-01, Dawna, Żaneta
- PU:
    - Wit Kłos: 1
`,
  [bindingsPath]: JSON.stringify({
    bindings: [rowOfBinding('111', '1'), rowOfBinding('222', '2'), rowOfBinding('333', '3')],
  }),
}

/** The text for the player, and the refusal that it explains; null where the account is answered. */
const ask = (chatId: string, intent: QueryIntent, snapshot: Snapshot = worldOf(files)) => {
  const answer = answerQuery(queryGroundAt(snapshot), { intent, chatId })
  return isLeft(answer)
    ? { text: answer.left.detail, refused: answer.left._tag }
    : { text: answer.right, refused: null }
}

describe('the answer to a query of the chat', () => {
  it('tells the PU of the own characters, with the sessions of the month', () => {
    const { text, refused } = ask('111', 'pu')
    equal(refused, null)
    deepEqual(text.split('\n'), [
      'PU Postaci Gracza „Brzoza”:',
      '• „Wit Kłos”: SUMA 22.50, ZDOBYTE 2.50, NADMIAR 0.00',
      '  Sesje w miesiącu 2026-06 (razem 1.75 PU):',
      '  – 2026-06-01, Most, Brzoza',
      '  – 2026-06-03, Wieża, Brzózka',
      '• „Duch”: SUMA BRAK, ZDOBYTE BRAK, NADMIAR BRAK',
      '  Sesje w miesiącu 2026-06: brak',
    ])
  })

  it('refuses PU to a person without the right of this moment', () => {
    const roles = JSON.stringify({ roles: { gracz: ['entity.read'] } })
    const { text, refused } = ask('111', 'pu', worldOf({ ...files, '.svc/roles.json': roles }))
    equal(refused, 'Forbidden')
    match(text, /nie dają do tego prawa/)
  })

  it('tells the own open sessions, also under an alias', () => {
    deepEqual(ask('111', 'open').text.split('\n'), [
      'Otwarte sesje Narratora „Brzoza” (2):',
      '• 2026-06-01, Most, Brzoza',
      '• 2026-06-03, Wieża, Brzózka',
    ])
    match(ask('222', 'open').text, /^Otwarte sesje Narratora „Żaneta” \(1\):\n• 2026-05-01, Dawna, Żaneta$/)
  })

  it('tells the link, the roles and the own characters', () => {
    deepEqual(ask('111', 'status').text.split('\n'), [
      'To konto czatu jest powiązane z Graczem „Brzoza” (id 1).',
      'Role: Narrator',
      '• „Wit Kłos”: Aktywny, miejsce: Zamorze',
      '• „Duch”: Nieaktywny, miejsce: nieznane',
    ])
    match(ask('222', 'status').text, /Role: brak\n• „Cudza”: Aktywny, miejsce: nieznane$/)
  })

  it('shows what others wrote as they wrote it, without links, mentions and further lines', () => {
    const place = '[Odbierz PU](https://evil.example) <@222> **x**'
    const hostile = worldOf({
      ...files,
      'encje/indeks.md': files['encje/indeks.md'].replaceAll('Zamorze', place),
      'sesje/2026.md': `### 2026-06-02, <@&1> [x](https://evil.example)\u2028Role: Radny, Brzoza
- PU:
    - Wit Kłos: 1
### 2026-06-03, ${'Most '.repeat(500)}, Brzoza
- PU:
    - Wit Kłos: 1
`,
    })
    const texts = (['pu', 'open', 'status'] as const).map(intent => ask('111', intent, hostile).text)
    for (const text of texts) ok(!/(?<!\\)[[<*]|[\u2028\u202e]/u.test(text), text)
    match(texts[2] ?? '', /miejsce: \\\[Odbierz PU\\\]/)
    match(texts[0] ?? '', /• „Duch”/, 'a long header leaves room for the others')
  })

  it('tells an account without a link how to register, and one without a person what is wrong', () => {
    for (const intent of ['pu', 'open', 'status'] as const) {
      const unlinked = ask('999', intent)
      equal(unlinked.refused, 'not_linked')
      match(unlinked.text, /Zarejestruj się .* albo poproś/)
      equal(ask('333', intent).refused, 'ambiguous_game_id')
      for (const chatId of ['999', '333']) ok(!/Wit|Cudza|Most/.test(ask(chatId, intent).text))
    }
  })
})
