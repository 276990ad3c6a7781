import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { capabilities } from '#protocol/atoms.js'
import { bindingsPath } from '#src/domain/identity/bindings.js'
import { viewOf } from '#src/domain/identity/grade.js'
import { closeSessions } from '#test/support/closed-world.js'
import { callerWith, type TestFront, testFront } from '#test/support/front.js'
import { rowOfBinding } from '#test/support/identity/linked-world.js'
import { isFields } from '#test/support/matching.js'
import { worldOf } from '#test/support/world.js'

/** Every restricted topic of the world has this in it, and nothing else has. */
const canary = 'Kanarek'

/** Blocks with a restricted line that cannot take effect, in a session of its own each. */
const forms = [
  `- @Intel:\n    - Tematy zastrzeżone: ${canary}`,
  `- @Intel:\n    - Tematy zastrzeżone:\n        - ${canary}`,
  `- @Intel:\n    - Tematy zastrzeżone\n        - ${canary}`,
  `- @Intel:\n    - Tematy\n      zastrzeżone: ${canary}`,
  `- @Intel:\n    - Grupa/${canary}: tematy zastrzeżone: x`,
  `- @Intel:\n    - ${canary}, Tematy zastrzeżone: x`,
  `- @Transfer:\n    - Tematy zastrzeżone: ${canary}`,
  `- @Transfer:\n    - Tematy zastrzeżone:\n        - ${canary}`,
  `- @Transfer: 5 koron, ${canary} -> Temat. Tematy zastrzeżone`,
  `- @Zmiany:\n    - Żbik\n        - @tematy_zastrzezone: x\n            - ${canary}`,
  `- @Zmiany:\n    - Żbik\n        - @trigger: x\n\n            - ${canary}`,
  `- @Zmiany:\n    - Żbik\n        - tematy zastrzeżone: ${canary}`,
  `- @Zmiany:\n    - Żbik\n        - Tematy zastrzeżone:\n            - ${canary}`,
  `- @Zmiany:\n    - Tematy zastrzeżone\n        - ${canary}`,
  `- @Zmiany:\n    - ${canary}\n        - @tematy_zastrzezone: x`,
  `- @PU:\n    - Tematy zastrzeżone: ${canary}`,
  `- @PU:\n    - Tematy zastrzeżone:\n        - ${canary}: 5`,
  `- @PU:\n    - ${canary} (tematy zastrzeżone: x): 1`,
  `- @PU:\n    - ${canary} (tematy zastrzeżone: x): 1\n    - ${canary} (tematy zastrzeżone: x): 2`,
  `- @Lokacje:\n    - Tematy zastrzeżone: ${canary}`,
]

const headers = forms.map((_, at) => `2026-04-${String(at + 1).padStart(2, '0')}, Wieża ${at}, Narr`)

const sessions = headers.map((header, at) => `### ${header}\n\nOpis.\n\n${forms[at]}\n`).join('\n')

const files = {
  '.svc/format.json': '{"format": 2}',
  '.svc/roles.json': '{"roles": {"narrator": ["session.close"]}}',
  'kontrybutorzy.md': '## Gracz\n### Narr\n- @gameid: 1\n- @rola: Narrator\n## Role\n### Narrator\n',
  'encje/indeks.md': '### Żbik\n- @typ: NPC\n',
  'sesje/2026.md': sessions,
  'sesje/kopia.md': sessions.replaceAll(': 1\n', ': 3\n'),
  'sesje/bez-daty.md': `### 2026-02-30, Zła, Narr\n\n- @PU:\n    - ${canary} (tematy zastrzeżone: x): 1\n`,
  [bindingsPath]: JSON.stringify({ bindings: [rowOfBinding('111', '1')] }),
}

const without = capabilities.filter(one => !viewOf(new Set([one])).mayReadRestricted && one !== 'admin.all')
const reader = { ...callerWith(without, 'Narr'), gameId: '1' }
const callers = { reader, topics: callerWith([...without, 'player.restricted.read', 'admin.all']) }

const worlds = {
  open: files,
  closed: closeSessions(files, true),
  'closed before meanings were recorded': closeSessions(files, false),
}

for (const [state, texts] of Object.entries(worlds))
  describe(`restricted topics in what stops a close, of sessions that are ${state}`, () => {
    let front: TestFront
    before(async () => {
      front = await testFront({ snapshot: worldOf(texts), callers })
    })
    after(() => front.close())

    const ask = async (target: string, body?: object, token = 'reader'): Promise<string> => {
      const method = body === undefined ? 'GET' : 'POST'
      const asked = { method, token, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const { status, text } = await front.client.ask(target, asked)
      ok(status < 500 && status !== 401 && status !== 400, `${target}: ${status} ${text.slice(0, 300)}`)
      return text
    }

    it('are in no block, finding or error for a caller without the right', async () => {
      const leaks: Array<string> = []
      const look = (form: string, target: string, text: string): void => {
        const at = text.indexOf(canary)
        if (at >= 0) leaks.push(`${form} in ${target}: ${text.slice(Math.max(0, at - 120), at + 20)}`)
      }
      for (const [at, header] of headers.entries()) {
        const impact = `/sessions/${encodeURIComponent(header)}/close-impact`
        look(forms[at] ?? '', impact, await ask(impact))
        for (const dry of ['?dryRun=true', '']) {
          for (const row of ['close-session', 'distribute-session', 'apply-transfers'])
            look(forms[at] ?? '', row, await ask(`/workflows/${row}${dry}`, { header }))
          const chat = await ask(`/workflows/close-session-by-chat${dry}`, { header, chatId: '111' })
          look(forms[at] ?? '', 'by chat', chat)
        }
      }
      for (const row of ['/sessions/integrity', '/sessions/divergence', '/entities/integrity'])
        look('', row, await ask(`${row}?limit=1000`))
      deepEqual(leaks, [])
    })

    it('leave the place of each finding, so that a person with the right can mend it', async () => {
      const json: unknown = JSON.parse(await ask('/sessions/integrity?limit=1000'))
      const items: ReadonlyArray<unknown> =
        isFields(json) && Array.isArray(json['items']) ? json['items'] : []
      const withheld = items.filter(
        one => isFields(one) && /zastrzeżon/u.test(String(one['Detail'])) && Number(one['Line']) > 0,
      )
      ok(withheld.length >= 10, String(withheld.length))
    })

    it('are in the impact of a close for a caller with the right', async () => {
      const [header = ''] = headers.slice(14)
      const text = await ask(`/sessions/${encodeURIComponent(header)}/close-impact`, undefined, 'topics')
      equal(text.includes(canary), state === 'open', text)
    })
  })

describe('a patch of a session with a withheld transfer', () => {
  it('names no side of it to a caller without the right', async () => {
    const header = '2026-04-01, Wieża, Narr'
    const text = `### ${header}\n\nOpis.\n\n- @Transfer: 5 koron, Żbik -> Kot. Tematy zastrzeżone\n`
    const front = await testFront({ snapshot: worldOf({ ...files, 'sesje/2026.md': text }), callers })
    try {
      const unresolvedFor = async (token: string): Promise<unknown> => {
        const body = JSON.stringify({ content: `Inny opis dla: ${token}.` })
        const asked = { method: 'PATCH', token, body }
        const reply = await front.client.ask(`/sessions/${encodeURIComponent(header)}?dryRun=true`, asked)
        equal(reply.status, 200, reply.text)
        return isFields(reply.json) ? reply.json['unresolved'] : null
      }
      deepEqual(await unresolvedFor('reader'), [])
      ok(JSON.stringify(await unresolvedFor('topics')).includes('Żbik'))
    } finally {
      await front.close()
    }
  })
})
