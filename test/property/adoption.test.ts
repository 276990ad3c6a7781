import { deepEqual, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { activeOn, dayPlus } from '#src/domain/lore/rows/days.js'
import { tagRule } from '#src/domain/lore/tag-schema.js'
import { planOf } from '#test/support/legacy/adoption.js'
import type { WorldTexts } from '#test/support/legacy/legacy-world.js'
import { applyAdoption, findLostWords } from '#test/support/legacy/lost-words.js'
import { runsOf } from '#test/support/runs.js'
import { day, worldOf } from '#test/support/world.js'

const words = ['Jawor', 'Świerk', 'Łęg', 'Brzoza', 'Ćma', 'Żuraw', 'Młyn', 'Wieża'] as const
const odd = [
  '#x',
  'a `b`',
  '```',
  'c: d',
  '(e)',
  'f (2024)',
  '@g',
  '* h',
  'i/j',
  '[k](l)',
  'ż\u0301',
  'm#n',
] as const
const name = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }).map(all => all.join(' ')),
  },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
)
const bound = fc.constantFrom('', '2021', '2022-03', '2023-06-15', '2024-02', '2025', '2026-13')
const range = fc.oneof(
  fc.constant(''),
  fc.tuple(bound, bound).map(([from, to]) => ` (${from}:${to})`),
)
const webhook = fc.constant('https://chat.example/api/webhooks/9/sekret')
const value = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 1, arbitrary: webhook },
  {
    weight: 1,
    arbitrary: fc.constantFrom('12345', '31,25', '7.125', 'BRAK', 'Aktywny', 'zaginiony', 'Loch', ''),
  },
)
const tag = fc.constantFrom(
  ...[
    'alias',
    'lokacja',
    'drzwi',
    'typ',
    'należy_do',
    'grupa',
    'status',
    'ilość',
    'zawiera',
    'generyczne_nazwy',
  ],
  ...['info', 'pu_suma', 'pu_startowe', 'pu_nadmiar', 'stan', 'krainaid', 'prfwebhook', 'trigger', 'kolor'],
)
const child = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(tag, value, range).map(([key, text, dated]) => `    - @${key}: ${text}${dated}`),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(tag, name).map(([key, text]) => `    - @${key}:\n        - ${text}\n        - Drugi`),
  },
  { weight: 1, arbitrary: name.map(text => `    - ${text}`) },
  { weight: 1, arbitrary: name.map(text => `        ciąg ${text}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'luźny tekst',
      '    - @bezdwukropka',
      '- @info: z boku',
      '',
      '```',
      '\t- @alias: Tab',
    ),
  },
)
const entity = fc
  .tuple(name, fc.array(child, { maxLength: 5 }))
  .map(([title, rows]) => [`* ${title}`, ...rows].join('\n'))
const section = fc
  .tuple(
    fc.constantFrom('NPC', 'Organizacja', 'Lokacja', 'Gracz', 'Postać', 'Przedmiot', 'Mapa', 'Inne rzeczy'),
    fc.array(entity, { maxLength: 4 }),
  )
  .map(([title, entities]) => [`## ${title}`, ...entities].join('\n\n'))
const registry = fc.array(section, { maxLength: 4 }).map(all => `${all.join('\n\n')}\n`)
const number = fc.constantFrom('0', '20', '0,5', '31,25', '7.125', 'BRAK', 'trzy')
const character = fc
  .tuple(name, fc.boolean(), name, number, number, number, name)
  .map(([title, bold, alias, suma, start, taken, note]) => {
    const link = `[${title}](Postaci/Gracze/${encodeURIComponent(title)}.md)`
    return [
      `    - ${bold ? `**${link}**` : link}`,
      `        - Alias: ${alias}; ${alias} Młodszy`,
      `        - PU: NADMIAR: ${taken}, STARTOWE: ${start}, SUMA: ${suma}, ZDOBYTE: ${taken}`,
      `        - ${note} zna drogę.`,
    ].join('\n')
  })
const player = fc
  .tuple(name, fc.nat(99_999), fc.array(character, { maxLength: 3 }), value)
  .map(([title, id, characters, topics]) =>
    [
      `### ${title}`,
      '',
      `- ID Krainy: ${id}`,
      '- PRFWebhook: https://chat.example/api/webhooks/1/sekret',
      `- Tematy zastrzeżone: ${topics}`,
      `- ${title} gra od dawna`,
      '- Postaci:',
      ...characters,
    ].join('\n'),
  )
const roster = fc.array(player, { maxLength: 3 }).map(all => `# Gracze\n\n## Lista\n\n${all.join('\n\n')}\n`)
const session = fc
  .tuple(fc.constantFrom('2023-05-01', '2024-02-30', '2027-01-01'), name, name, name)
  .map(
    ([date, title, place, who]) =>
      `### ${date}, ${title}, Jawor\n\n- Lokalizacje:\n    - ${place}\n    - ${place} -> ${title}\n- PU:\n    - ${who}: 0,5\n\nByło ciemno.\n`,
  )
const standing = fc
  .array(fc.tuple(fc.constantFrom('NPC', 'Postać', 'Lokacja'), fc.constantFrom(...words), name), {
    maxLength: 3,
  })
  .map(all =>
    all.map(([type, title, text]) => `### ${title}\n- @typ: ${type}\n- @info: ${text}\n`).join('\n'),
  )
const newline = (text: string, crlf: boolean): string => (crlf ? text.replaceAll('\n', '\r\n') : text)
const world: fc.Arbitrary<WorldTexts> = fc
  .record({
    registry,
    shard: registry,
    roster,
    sessions: fc.array(session, { maxLength: 3 }),
    crlf: fc.boolean(),
    standing,
  })
  .map(parts => ({
    'entities.md': newline(parts.registry, parts.crlf),
    'kraina-100-ent.md': parts.shard,
    'Gracze.md': newline(parts.roster, parts.crlf),
    'encje/indeks.md': newline(parts.standing, parts.crlf),
    'kontrybutorzy.md': '## Gracz\n### Jawor\n- @gameid: 7\n\n## Role\n### Radny\n- @chat_rola: Rada\n',
    'Wątki/sesje.md': parts.sessions.join('\n'),
    'Postaci/Gracze/Jawor.md': '**Stan:**\nZdrowy.\n\n**Opisane sesje:**\n',
  }))

const runs = { numRuns: runsOf(60) }

describe('adoption of any legacy repository', () => {
  it('changes nothing the second time and counts the same, whatever the day', () => {
    fc.assert(
      fc.property(world, texts => {
        const first = planOf(texts)
        const after = applyAdoption(texts, first.changes)
        const second = planOf(after)
        deepEqual(second.changes, [])
        deepEqual(second.report.Entities, first.report.Entities)
        deepEqual(second.report.Parity, first.report.Parity)
        deepEqual(
          planOf(after, '2026-06-16').changes.filter(change => !change.path.startsWith('Lokacje/')),
          [],
        )
      }),
      runs,
    )
  })

  it('loses no word', () => {
    fc.assert(
      fc.property(world, texts => {
        const { changes, report } = planOf(texts)
        const labels = new Set(['krainaid', 'krainy', 'prfwebhook', 'sekret'])
        deepEqual(
          findLostWords(texts, changes, report).filter(word => !labels.has(word)),
          [],
        )
      }),
      runs,
    )
  })

  it('copies no credential and leaves every legacy file and session its bytes', () => {
    fc.assert(
      fc.property(world, texts => {
        const { changes, report } = planOf(texts)
        ok(!JSON.stringify([changes, report]).includes('sekret'))
        deepEqual(
          changes.filter(
            ({ path }) => path.endsWith('ent.md') || path === 'entities.md' || path === 'Gracze.md',
          ),
          [],
        )
        deepEqual(
          changes.filter(({ path }) => path.startsWith('Wątki/')),
          [],
        )
      }),
      runs,
    )
  })

  it('leaves no scalar active twice on any day', () => {
    fc.assert(
      fc.property(world, texts => {
        const snapshot = worldOf(applyAdoption(texts, planOf(texts).changes))
        for (const one of snapshot.entities.all) {
          const rows = one.rows.filter(
            row => tagRule(row.tag, one.type)?.multi === false && row.source._tag === 'File',
          )
          const edges = rows.flatMap(({ range: { from, to } }) => [from ?? [], to ?? []].flat())
          for (const at of [day('2020-01-01'), ...edges, ...edges.flatMap(edge => dayPlus(edge, 1) ?? [])]) {
            const active = rows.filter(row => activeOn(row.range, at)).map(row => row.tag)
            deepEqual(active.length, new Set(active).size, `${one.name} on ${at}`)
          }
        }
      }),
      runs,
    )
  })
})
