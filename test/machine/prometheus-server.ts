import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '#test/support/daemon.js'
import { findFreePort } from '#test/support/free-port.js'
import { jsonField } from '#test/support/json-field.js'
import { temporaryFolder } from '#test/support/repository.js'

/** A running Prometheus of Debian that scrapes the hosts of one job each second. */
export interface PrometheusServer {
  /** The series that a query returns. Rejects where Prometheus does not accept the query. */
  readonly query: (text: string) => Promise<ReadonlyArray<unknown>>
  /** The series that a query returned in any second since a time, each with its samples, as a panel shows them. */
  readonly queryRange: (text: string, sinceMs: number) => Promise<ReadonlyArray<unknown>>
  /** The names of the alerts that fire. */
  readonly firing: () => Promise<ReadonlySet<string>>
  readonly stop: () => Promise<void>
}

/** The host and port of each target by its instance. */
type Targets = Readonly<Record<string, string>>

const configFor = (targets: Targets): string =>
  [
    'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }',
    'rule_files: [rules.yml]',
    'scrape_configs:',
    '  - job_name: kronika',
    '    static_configs:',
    ...Object.entries(targets).map(
      ([instance, target]) => `      - { targets: ['${target}'], labels: { instance: ${instance} } }`,
    ),
    '',
  ].join('\n')

const rowsAt = (json: unknown, name: string): ReadonlyArray<unknown> => {
  const rows = jsonField(jsonField(json, 'data'), name)
  if (jsonField(json, 'status') !== 'success' || !Array.isArray(rows))
    throw new Error(`Prometheus answers ${JSON.stringify(json)}`)
  return rows
}

/** Starts Prometheus, and waits until it answers. `rules` is the YAML of its rules. */
export const startPrometheus = async (
  targets: Targets,
  rules = 'groups: []\n',
): Promise<PrometheusServer> => {
  const folder = temporaryFolder()
  const port = await findFreePort()
  writeFileSync(join(folder.path, 'prometheus.yml'), configFor(targets))
  writeFileSync(join(folder.path, 'rules.yml'), rules)
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'close')
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    folder.dispose()
  }
  try {
    await eventually(
      () => fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => null),
      answer => answer?.status === 200,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return {
    query: async text => rowsAt(await ask(`/api/v1/query?query=${encodeURIComponent(text)}`), 'result'),
    queryRange: async (text, sinceMs) => {
      const range = {
        query: text,
        start: String(sinceMs / 1_000),
        end: String(Date.now() / 1_000),
        step: '1',
      }
      return rowsAt(await ask(`/api/v1/query_range?${new URLSearchParams(range).toString()}`), 'result')
    },
    firing: async () => {
      const alerts = rowsAt(await ask('/api/v1/alerts'), 'alerts').filter(
        alert => jsonField(alert, 'state') === 'firing',
      )
      return new Set(alerts.map(alert => String(jsonField(jsonField(alert, 'labels'), 'alertname'))))
    },
    stop,
  }
}
