import {
  code,
  codeBlock,
  heading,
  list,
  type PageBlock,
  paragraph,
  type ReferencePage,
  table,
} from '../page.js'
import { type AlertGroup, alerts, type NamedAlert } from './alerts.js'
import { renderDuration, renderQuery } from './render-query.js'

/** The entry of an alert, relative to `docs/runbook/`. */
export const linkAlert = ({ name, group }: NamedAlert): string => `${group}.md#${name.toLowerCase()}`

/** The table of all alerts; `folder` is the way from the page to `docs/runbook/`. */
export const alertTable = (folder: string): PageBlock =>
  table(
    ['Alert', 'Severity', 'Query'],
    alerts.map(alert => [
      `[${alert.name}](${folder}${linkAlert(alert)})`,
      alert.severity,
      describeCondition(alert),
    ]),
  )

/** The page of the runbook for a group of alerts. */
export const runbookPage = (group: AlertGroup): ReferencePage => ({
  title: `Alerts of ${titles[group]}`,
  intro: 'What each alert means, where to look, and what to do. All alerts are in [the index](README.md).',
  blocks: alerts.filter(alert => alert.group === group).flatMap(entryOf),
})

/** The index of the runbook. */
export const runbookIndex = (): ReferencePage => ({
  title: 'Runbook',
  intro:
    'Prometheus evaluates these alerts over [the metrics](../spec/metrics.md) of the hosts. Copy ' +
    '`deploy/prometheus/kronika.rules.yml` beside its configuration, and serve each host with a fixed ' +
    '`--ops-port`, here 9464. The hosts of a fleet are targets of one job. Each machine scrapes its own host, ' +
    'since the operations listener is bound to loopback; let it send the samples on, with its town as `instance`, ' +
    'or carry them by a tunnel.',
  blocks: [
    codeBlock('text', prometheusSample),
    paragraph(
      '`deploy/grafana/` has dashboards of Grafana: `fleet`, `actors`, `writes` and `dispatch`. Import them and ' +
        'choose the data source.',
    ),
    alertTable(''),
  ],
})

const titles: Readonly<Record<AlertGroup, string>> = {
  host: 'a host',
  sync: 'the exchange with the remote',
  chat: 'the chat',
  fleet: 'a fleet',
}

/** What an alert fires at: its query, and how long that must return a series. */
const describeCondition = ({ query, holdSeconds }: NamedAlert): string =>
  code(renderQuery(query)) + (holdSeconds === 0 ? '' : ` for ${renderDuration(holdSeconds)}`)

const entryOf = (alert: NamedAlert): ReadonlyArray<PageBlock> => [
  heading(alert.name),
  paragraph(`${alert.means} Severity: ${alert.severity}. Query: ${describeCondition(alert)}.`),
  paragraph('Look at:'),
  list(alert.look),
  paragraph('Do:'),
  list(alert.act),
]

const prometheusSample = [
  'rule_files: [kronika.rules.yml]',
  'scrape_configs:',
  '  - job_name: kronika',
  "    static_configs: [{ targets: ['127.0.0.1:9464'], labels: { instance: Arkadia } }]",
].join('\n')
