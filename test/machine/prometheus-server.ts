import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '#test/support/daemon.js'
import { findFreePort } from '#test/support/free-port.js'
import { jsonField } from '#test/support/json-field.js'
import { temporaryFolder } from '#test/support/repository.js'

/** A running Prometheus of Debian that scrapes one host each second as the instance `host`. */
export interface PrometheusServer {
  /** The series that a query returns. Rejects where Prometheus does not accept the query. */
  readonly query: (text: string) => Promise<ReadonlyArray<unknown>>
  /** The names of the alerts that fire. */
  readonly firing: () => Promise<ReadonlySet<string>>
  readonly stop: () => Promise<void>
}

const configFor = (target: string): string =>
  [
    'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }',
    'rule_files: [rules.yml]',
    'scrape_configs:',
    '  - job_name: kronika',
    `    static_configs: [{ targets: ['${target}'], labels: { instance: host } }]`,
    '',
  ].join('\n')

const rowsAt = (json: unknown, name: string): ReadonlyArray<unknown> => {
  const rows = jsonField(jsonField(json, 'data'), name)
  if (jsonField(json, 'status') !== 'success' || !Array.isArray(rows))
    throw new Error(`Prometheus answers ${JSON.stringify(json)}`)
  return rows
}

/** Starts Prometheus, and waits until it answers. `target` is host and port; `rules` the YAML of its rules. */
export const startPrometheus = async (target: string, rules = 'groups: []\n'): Promise<PrometheusServer> => {
  const folder = temporaryFolder()
  const port = await findFreePort()
  writeFileSync(join(folder.path, 'prometheus.yml'), configFor(target))
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
    firing: async () => {
      const alerts = rowsAt(await ask('/api/v1/alerts'), 'alerts').filter(
        alert => jsonField(alert, 'state') === 'firing',
      )
      return new Set(alerts.map(alert => String(jsonField(jsonField(alert, 'labels'), 'alertname'))))
    },
    stop,
  }
}
