import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { Route, Table } from '#protocol/route.js'
import { printedJson } from './escape-controls.js'
import type { ListOptions } from './options.js'
import { formatColumns, type Output } from './output.js'

const flags = (row: Route): string =>
  [row.write ? 'write' : '', row.replica ? 'replica' : '', row.pool ? 'pool' : '', row.etag ? 'etag' : '']
    .filter(flag => flag !== '')
    .join(',')

/** Prints the route table. `body` is the answer of `GET /routes`. */
export const routesCommand =
  (table: Table, body: unknown, output: Output) =>
  (options: ListOptions): Promise<ExitCode> => {
    const rows = Object.values(table)
    const lines = rows.map(row => [row.method, row.path, row.capability ?? '-', flags(row)])
    output.out(options.json ? printedJson(body) : `${formatColumns(lines)}\n${rows.length} routes`)
    return Promise.resolve(exitCodes.ok)
  }
