import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'
import type { MetricName } from '#protocol/metric.js'
import { eventually } from '#test/support/daemon.js'
import { jsonField } from '#test/support/json-field.js'
import { root } from '#test/tidy/sources.js'
import type { WatchedFleet } from './watched-fleet.js'

const folder = join(root, 'deploy/grafana')

const Dashboard = t.type({
  panels: t.readonlyArray(t.type({ title: t.string, targets: t.readonlyArray(t.type({ expr: t.string })) })),
})

/** A query of a panel, with the variables of Grafana replaced by what it gives them for all hosts. */
interface PanelQuery {
  readonly panel: string
  readonly query: string
}

const queriesOf = (file: string): ReadonlyArray<PanelQuery> => {
  const dashboard: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  if (!Dashboard.is(dashboard)) throw new Error(`${file} has a panel without a title or without queries`)
  return dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({
      panel: `${file}: ${title}`,
      query: expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '10s'),
    })),
  )
}

/** The queries of every dashboard that the project delivers. */
const panelQueries: ReadonlyArray<PanelQuery> = readdirSync(folder)
  .filter(file => file.endsWith('.json'))
  .flatMap(queriesOf)

/** Metrics of what does not happen in this world, with the reason. Their panels may be empty. */
const unprovoked: Partial<Record<MetricName, string>> = {
  svc_fleet_takeover_cooldown_end_timestamp_seconds:
    'no takeover is merged: the one that is asked for is vetoed',
}

const mayBeEmpty = ({ query }: PanelQuery): boolean =>
  Object.keys(unprovoked).some(name => new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(query))

/** Whether a series has a sample that a panel can draw. */
const isDrawn = (series: unknown): boolean => {
  const values = jsonField(series, 'values')
  return Array.isArray(values) && values.some(sample => Number.isFinite(Number(jsonField(sample, '1'))))
}

/**
 * Asks for what each panel shows of the time since the fleet was opened. Rejects where Prometheus does not accept a query,
 * or one of them has nothing to show.
 */
export const askPanels = async ({ prometheus, sinceMs }: WatchedFleet): Promise<void> => {
  if (panelQueries.length === 0) throw new Error(`${folder} has no dashboard with a query`)
  const findEmpty = async (queries: ReadonlyArray<PanelQuery>): Promise<ReadonlyArray<PanelQuery>> => {
    const empty: Array<PanelQuery> = []
    for (const one of queries)
      if (!(await prometheus.queryRange(one.query, sinceMs)).some(isDrawn)) empty.push(one)
    return empty
  }
  // The last scrape may still lack what has just happened.
  let left = panelQueries
  await eventually(
    async () => {
      left = (await findEmpty(left)).filter(one => !mayBeEmpty(one))
      return left
    },
    queries => queries.length === 0,
  )
}
