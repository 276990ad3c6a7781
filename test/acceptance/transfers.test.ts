import type { Entities } from '#src/domain/entities/entity.js'
import { acceptance, textAt, textsAt } from '#test/support/acceptance.js'
import { legacyEntities } from '#test/support/legacy/legacy-entities.js'
import { legacyViewOf } from '#test/support/legacy/legacy-view.js'
import type { Fields } from '#test/support/matching.js'
import {
  closeAndOverlay,
  sessionFields,
  sessionsOfFixtures,
  sessionsOfTexts,
} from '#test/support/session-cases.js'
import { day, worldOf } from '#test/support/world.js'

const today = day('2026-06-15')

const quantityOf = (entities: Entities, name: string): Fields | null => {
  const entity = entities.all.find(one => one.name === name)
  return entity === undefined ? null : legacyViewOf(entities, entity, today)
}

const oneSided = (): Fields => {
  const { entities } = worldOf({
    'encje/indeks.md': `### A
- @typ: NPC

### B
- @typ: NPC

### Korony A
- @typ: Przedmiot
- @generyczne_nazwy: Korony Elanckie
- @należy_do: A
- @ilość: 30
`,
  })
  const overlay = closeAndOverlay(
    entities,
    sessionsOfTexts({ 'a.md': '### 2024-06-15, Handel, N\n\n- @Transfer: 10 koron, A -> B\n' }),
  )
  const after = Number(quantityOf(overlay.entities, 'Korony A')?.['quantity'])
  return { sourceDelta: after - 30, destination: 'skipped', warning: overlay.findings.length === 1 }
}

const listItem = (text: string): Fields => {
  const [session] = sessionsOfTexts({ 'a.md': `### 2024-06-15, Handel, N\n\n- ${text}\n` }).all
  return { transfer: session?.transfers[0] ?? null }
}

const run = (input: Fields, id: string): unknown => {
  if (id === 'transfers-019') return oneSided()
  const [item, fixture, entity] = [
    textAt(input, 'listItem'),
    textAt(input, 'fixture'),
    textAt(input, 'entity'),
  ]
  if (item !== null) return listItem(item)
  if (fixture !== null) {
    const sessions = sessionsOfFixtures([fixture]).all.map(session => sessionFields(session, null))
    return { sessions, 'sessions[0].transfers': sessions[0]?.['transfers'] }
  }
  const { entities } = closeAndOverlay(
    legacyEntities(textsAt(input, 'entities')),
    sessionsOfFixtures(textsAt(input, 'sessions')),
  )
  return entity === null
    ? Object.fromEntries(entities.all.map(one => [one.name, legacyViewOf(entities, one, today)]))
    : quantityOf(entities, entity)
}

acceptance('transfers', {
  run,
  deviations: {
    'transfers-019': {
      adr: 1032,
      why: 'A transfer moves both sides or neither, so that money neither appears nor vanishes (FORMATS 7).',
      instead: { sourceDelta: 0, destination: 'skipped', warning: true },
    },
  },
})
