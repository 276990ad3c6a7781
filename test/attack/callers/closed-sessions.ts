import type { Tactic } from '../caller-case.js'
import { aim } from '../worlds/base.js'
import { segment } from './path.js'

const transfers = [{ amount: 400, denomination: 'Talary', source: aim.character, destination: aim.npc }]
const changes = [{ entity: aim.character, tags: [{ tag: 'należy_do', value: 'Napastnik' }] }]
const intel = [{ target: aim.npc, message: 'Skarb jest pusty.' }]
const pu = [{ character: aim.character, value: 9 }]

const metadata = [{ transfers }, { changes }, { intel }, { pu }, { transfers: [] }, { changes: [] }] as const

const raw = [
  `Proza.\n\n- @Transfer: 400 Talary, ${aim.character} -> ${aim.npc}`,
  `Proza.\n\n- @Zmiany:\n    - ${aim.npc}\n        - @lokacja: Gdzie indziej`,
  `Proza.\n\n- Transfer: 400 Talary, ${aim.character} -> ${aim.npc}`,
]

/** Effects under the header of a session that is closed (D62): by patch, by a copy, in prose. */
export const writeToClosedSessions: Tactic = async ({ fire }) => {
  const forbidden = 'the session is closed'
  for (const header of [aim.closed, aim.closed.toUpperCase(), aim.closed.normalize('NFD')]) {
    const path = `/sessions/${segment(header)}`
    for (const one of metadata) await fire({ method: 'PATCH', path, body: { metadata: one }, forbidden })
    for (const content of raw) await fire({ method: 'PATCH', path, body: { content } })
    await fire({ method: 'PATCH', path, body: { upgrade: true } })
    await fire({ method: 'POST', path: `${path}/rebaseline`, body: {} })
  }
  const head = { date: '2026-03-01', title: 'Zamknięta zatoka', narrators: ['Bajarka'] }
  for (const [at, one] of metadata.slice(0, 4).entries()) {
    const body = { ...head, file: `sesje/kopia-${at}.md`, content: 'Kopia.', metadata: one }
    await fire({ method: 'POST', path: '/sessions', body, forbidden })
    await fire({ method: 'POST', path: '/workflows/open-session', body, forbidden })
  }
  for (const [at, content] of raw.entries())
    await fire({
      method: 'POST',
      path: '/sessions',
      body: { ...head, file: `sesje/proza-${at}.md`, content },
    })
}
