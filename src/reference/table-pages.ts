import type * as t from 'io-ts'
import { refusalExamples } from '#protocol/answer-examples.js'
import { exitRows } from '#protocol/exit-code.js'
import { addressRows } from '#protocol/host/addresses.js'
import { configKeys } from '#protocol/host/config.js'
import { eventKinds } from '#protocol/host/events.js'
import { type Metric, metrics } from '#protocol/metric.js'
import { refusals } from '#protocol/refusal.js'
import { formatJson } from './format-json.js'
import { code, codeBlock, heading, type PageBlock, paragraph, type ReferencePage, table } from './page.js'

export const refusalsPage = (): ReferencePage => ({
  title: 'Refusals',
  intro: 'Every answer that is not a success has the body `{"error", "detail"}` and the fields named here.',
  blocks: [
    table(
      ['Error', 'Status', 'When, and what to do', 'Fields'],
      Object.entries(refusals).map(([tag, row]) => [
        code(row.error ?? tag),
        String(row.status),
        row.when,
        Object.keys(row.extra).map(code).join(', '),
      ]),
    ),
    ...Object.entries(refusalExamples).flatMap(exampleOf),
  ],
})

export const metricsPage = (): ReferencePage => ({
  title: 'Metrics',
  intro: '`GET /metrics` of the operations listener, beside the process metrics of prom-client.',
  blocks: [
    table(
      ['Name', 'Kind', 'Labels', 'Help'],
      Object.entries<Metric>(metrics).map(([name, row]) => [
        code(name),
        row.kind,
        row.labels.map(code).join(', '),
        row.help,
      ]),
    ),
  ],
})

export const configPage = (): ReferencePage => ({
  title: 'Configuration',
  intro:
    'The committed `.svc/config.json` of the lore, read once at boot and merged key by key over these defaults.',
  blocks: [
    table(
      ['Key', 'Value', 'Default', 'Unit', 'What it sets'],
      Object.entries(configKeys).map(([name, row]) => [
        code(name),
        row.codec.name,
        code(JSON.stringify(row.fallback)),
        row.unit ?? '',
        row.about,
      ]),
    ),
    heading('Addresses'),
    paragraph(
      'Where each secret of a host goes, and what decides who may sign in. A commit alone does not change a pinned ' +
        'key: the host goes on with the address that its operator gave, or that it used first, until `kronika trust` ' +
        'accepts another one.',
    ),
    table(
      ['Address', 'Secret', 'Given in', 'Rule'],
      addressRows.map(row =>
        row.rule === 'pinned'
          ? [code(row.key), row.secret ?? '', row.variable ?? '', `pinned, because it ${row.because}`]
          : [Object.hasOwn(configKeys, row.key) ? code(row.key) : row.key, row.secret ?? '', '', row.because],
      ),
    ),
  ],
})

export const exitCodesPage = (): ReferencePage => ({
  title: 'Exit codes',
  intro: 'How `kronika` ends.',
  blocks: [
    table(
      ['Code', 'Name', 'Meaning'],
      exitRows.map(({ name, code: number, meaning }) => [String(number), name, meaning]),
    ),
  ],
})

export const eventsPage = (): ReferencePage => ({
  title: 'Events',
  intro: 'Kinds of `GET /events` and `GET /events/journal`, each with the fields of its payload.',
  blocks: [
    table(
      ['Kind', 'Payload'],
      Object.entries(eventKinds).map(([kind, codec]) => [
        code(kind),
        Object.entries<t.Mixed>(codec.type.props)
          .map(([name, field]) => `${code(name)}: ${field.name}`)
          .join(', '),
      ]),
    ),
  ],
})

const exampleOf = ([tag, body]: readonly [string, unknown]): ReadonlyArray<PageBlock> => [
  heading(tag),
  codeBlock('json', formatJson(body)),
]
