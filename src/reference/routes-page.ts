import type { AnswerExample } from '#protocol/answer-examples.js'
import { errorOf } from '#protocol/refusal.js'
import { alwaysRefuses, queryOf, type Route, refusalsOf, type Table } from '#protocol/route.js'
import { routeAreaOf } from '#protocol/routes.js'
import { answersOf, titleOf } from './examples.js'
import { cutLists, formatJson } from './format-json.js'
import {
  code,
  codeBlock,
  heading,
  list,
  type PageBlock,
  paragraph,
  type ReferencePage,
  table,
} from './page.js'

/** Every row with its columns, an example of its request, and the answers to it. */
export const routesPage = (rows: Table): ReferencePage => ({
  title: 'Routes',
  intro:
    `${Object.keys(rows).length} routes. The examples are real answers over one small world, their tokens withheld; ` +
    'the shapes of bodies and answers are in `openapi.json` beside this page.',
  blocks: [
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
    ...Object.entries(rows).flatMap(routeBlocks),
  ],
})

const yes = (flag: boolean): string => (flag ? 'yes' : '')

const capabilityText = ({ capability, own }: Route): string => {
  if (capability === null) return 'public'
  return own ? `${code(capability)}, or its \`.own\` form for what is the caller’s own` : code(capability)
}

const parameterText = ({ example }: Route, name: string): string => {
  const value = example?.query?.[name]
  return value === undefined ? code(name) : `${code(name)} (as ${code(value)})`
}

/** The request line of the example: its path and required parameters. */
const requestLine = ({ method, path, example = {} }: Route): string => {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(example.path?.[name] ?? name),
  )
  const pairs = (example.needs ?? []).map(
    name => `${name}=${encodeURIComponent(example.query?.[name] ?? '')}`,
  )
  return `${method} /v1/api${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

const requestText = (row: Route): string => {
  const body = row.example?.body
  return body === undefined ? requestLine(row) : `${requestLine(row)}\n\n${formatJson(body)}`
}

const answerBlocks = (answer: AnswerExample): ReadonlyArray<PageBlock> => {
  const [body, leftOut] = cutLists(answer.body)
  const title = titleOf(answer).replace(/\.$/, '')
  const cut = leftOut === 0 ? '' : ` (lists cut to 3 items, ${leftOut} left out)`
  return [
    paragraph(`${title}, ${answer.status}${cut}:`),
    typeof body === 'string' ? codeBlock('text', body.trimEnd()) : codeBlock('json', formatJson(body)),
  ]
}

const exampleBlocks = (id: string, row: Route): ReadonlyArray<PageBlock> =>
  row.example === undefined
    ? []
    : [paragraph('Example:'), codeBlock('text', requestText(row)), ...answersOf(id).flatMap(answerBlocks)]

const routeBlocks = ([id, row]: readonly [string, Route]): ReadonlyArray<PageBlock> => {
  const area = routeAreaOf(row)
  return [
    heading(`${row.method} ${row.path}`),
    paragraph(`${row.summary} (${row.source}; ${code(id)})`),
    list([
      ...(area === null ? [] : [`Area: ${area.name}`]),
      `Capability: ${capabilityText(row)}`,
      `Parameters: ${
        Object.keys(queryOf(row))
          .map(name => parameterText(row, name))
          .join(', ') || 'none'
      }`,
      ...(alwaysRefuses(row)
        ? [`Answer: none; always refused, with ${row.refusals.slice(-1).map(code).join()}`]
        : []),
      `Refusals: ${refusalsOf(row)
        .map(tag => code(errorOf(tag)))
        .join(', ')}`,
    ]),
    ...exampleBlocks(id, row),
  ]
}
