import type * as t from 'io-ts'
import { configKeys } from '#protocol/config/keys.js'
import { eventKinds } from '#protocol/events/kinds.js'
import { exitRows } from '#protocol/exit-code.js'
import { type Metric, metrics } from '#protocol/metric.js'
import { errorOf, refusals } from '#protocol/refusal.js'
import { alwaysRefuses, queryOf, type Route, refusalsOf, type Table } from '#protocol/route.js'

/** First line of every generated document. */
export const generated = '<!-- Made by `npm run docs` from the tables in protocol/; do not edit. -->'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n')

const page = (title: string, intro: string, body: string): string =>
  `${generated}\n\n# ${title}\n\n${intro}\n\n${body}\n`

const code = (text: string): string => `\`${text}\``
const yes = (flag: boolean): string => (flag ? 'yes' : '')

const capabilityText = ({ capability, own }: Route): string => {
  if (capability === null) return 'public'
  return own ? `${code(capability)}, or its \`.own\` form for what is the caller’s own` : code(capability)
}

const routeSection = ([id, row]: readonly [string, Route]): string =>
  [
    `## ${row.method} ${row.path}`,
    '',
    `${row.summary} (${row.source}; ${code(id)})`,
    '',
    `- Capability: ${capabilityText(row)}`,
    `- Parameters: ${Object.keys(queryOf(row)).map(code).join(', ') || 'none'}`,
    ...(alwaysRefuses(row)
      ? [`- Answer: none; always refused, with ${row.refusals.slice(-1).map(code).join()}`]
      : []),
    `- Refusals: ${refusalsOf(row)
      .map(tag => code(errorOf(tag)))
      .join(', ')}`,
    '',
  ].join('\n')

export const routesPage = (rows: Table): string =>
  page(
    'Routes',
    `${Object.keys(rows).length} routes. Shapes of bodies and answers: \`openapi.json\` beside this page.`,
    [
      table(
        ['Method', 'Path', 'Capability', 'Write', 'Replica', 'Pool', 'ETag'],
        Object.values(rows).map(row => [
          row.method,
          code(row.path),
          row.capability === null ? '–' : code(row.capability),
          yes(row.write),
          yes(row.replica),
          row.poolReason ?? yes(row.pool),
          yes(row.etag),
        ]),
      ),
      '',
      ...Object.entries(rows).map(routeSection),
    ].join('\n'),
  )

export const refusalsPage = (): string =>
  page(
    'Refusals',
    'Every answer that is not a success has the body `{"error", "detail"}` and the fields named here.',
    table(
      ['Error', 'Status', 'When, and what to do', 'Fields'],
      Object.entries(refusals).map(([tag, row]) => [
        code(row.error ?? tag),
        String(row.status),
        row.when,
        Object.keys(row.extra).map(code).join(', '),
      ]),
    ),
  )

export const metricsPage = (): string =>
  page(
    'Metrics',
    '`GET /metrics` of the operations listener, beside the process metrics of prom-client.',
    table(
      ['Name', 'Kind', 'Labels', 'Help'],
      Object.entries<Metric>(metrics).map(([name, row]) => [
        code(name),
        row.kind,
        row.labels.map(code).join(', '),
        row.help,
      ]),
    ),
  )

export const configPage = (): string =>
  page(
    'Configuration',
    'The committed `.svc/config.json` of the lore, read once at boot and merged key by key over these defaults.',
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
  )

export const exitCodesPage = (): string =>
  page(
    'Exit codes',
    'How `kronika` ends.',
    table(
      ['Code', 'Name', 'Meaning'],
      exitRows.map(({ name, code, meaning }) => [String(code), name, meaning]),
    ),
  )

export const eventsPage = (): string =>
  page(
    'Events',
    'Kinds of `GET /events` and `GET /events/journal`, each with the fields of its payload.',
    table(
      ['Kind', 'Payload'],
      Object.entries(eventKinds).map(([kind, codec]) => [
        code(kind),
        Object.entries<t.Mixed>(codec.type.props)
          .map(([name, field]) => `${code(name)}: ${field.name}`)
          .join(', '),
      ]),
    ),
  )
