import type { Tactic } from '../caller-case.js'
import { segment } from './path.js'

const many = (count: number, of: (at: number) => string): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => of(at))

/** More values, and longer ones, than a write may hold (D64). */
export const widerWrites: Tactic = async ({ fire }) => {
  const sent = (body: object, forbidden: string) =>
    fire({ method: 'POST', path: '/entities', body, forbidden })
  for (const count of [201, 2_001, 90_000])
    await sent(
      { name: `Wielu ${count}`, type: 'NPC', tags: { alias: many(count, at => `W${at}`) } },
      `it has ${count} values`,
    )
  await sent({ name: 'N'.repeat(201), type: 'NPC' }, 'the name has 201 characters')
  await sent({ name: 'Ż'.repeat(20_000), type: 'NPC' }, 'the name has 20,000 characters')
  for (const bytes of [8 * 1024 + 1, 900_000])
    await sent(
      { name: `Długi ${bytes}`, type: 'NPC', tags: { info: 'x'.repeat(bytes) } },
      `a value has ${bytes} bytes`,
    )
  await fire({ method: 'POST', path: '/entities', body: { name: 'Wzór', type: 'NPC' } })
  await fire({
    method: 'PATCH',
    path: '/entities/Wz%C3%B3r',
    body: { tag: 'info', value: 'x'.repeat(900_000) },
    forbidden: 'a value has 900,000 bytes',
  })
}

/** More Postacie than a player may have. */
export const manyCharacters: Tactic = async ({ caller, scale, fire }) => {
  const tags = { należy_do: caller.person ?? '' }
  for (let at = 0; at < Math.ceil(24 * Math.max(1, scale)); at += 1)
    await fire({ method: 'POST', path: '/characters', body: { name: `Zastęp ${at} Napastnika`, tags } })
}

const entryBytes = 7 * 1024

/** More bytes than a player may have: entries, documents of the block, and new Postacie by turns. */
export const manyBytes: Tactic = async ({ own, fire }) => {
  const path = `/characters/${segment(own ?? '')}`
  for (let at = 0; at < 40; at += 1) {
    const text = `wpis ${at} ${'x'.repeat(entryBytes)}`
    await fire({ method: 'POST', path: `${path}/info`, body: { text } })
    await fire({ method: 'PATCH', path, body: { tag: 'przedmiot_specjalny', value: text } })
  }
}
