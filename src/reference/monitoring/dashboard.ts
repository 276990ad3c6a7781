import { type Metric, metrics } from '#protocol/metric.js'
import { type Dashboard, type DashboardName, dashboards } from './dashboards.js'

const hosts = 'instance=~"$instance"'
const rateWindow = '[$__rate_interval]'

const legendOf = (labels: ReadonlyArray<string>): string =>
  ['instance', ...labels].map(label => `{{${label}}}`).join(' ')

const unitOf = (name: string): string => {
  if (name.endsWith('_timestamp_seconds')) return 'dateTimeFromNow'
  if (name.endsWith('_seconds')) return 's'
  return name.endsWith('_bytes') ? 'bytes' : 'short'
}

const histogramQueries = (name: string, labels: ReadonlyArray<string>): Panel['queries'] =>
  [0.5, 0.99].map(quantile => ({
    expr:
      `histogram_quantile(${quantile}, sum by (${['le', 'instance', ...labels].join(', ')}) ` +
      `(rate(${name}_bucket{${hosts}}${rateWindow})))`,
    legend: `${legendOf(labels)} p${quantile * 100}`,
  }))

/** The panel of a metric: the rate of a counter, the quantiles of a histogram, the value of a gauge. */
const panelOf = (name: string, { kind, labels, help }: Metric, filter = ''): Panel => {
  const shown = { title: name, about: help, type: 'timeseries', unit: unitOf(name) } as const
  const legend = legendOf(labels)
  const by = ['instance', ...labels].join(', ')
  if (kind === 'histogram') return { ...shown, queries: histogramQueries(name, labels) }
  if (kind === 'counter') {
    const expr = `sum by (${by}) (rate(${name}{${hosts}${filter}}${rateWindow}))`
    return { ...shown, unit: 'ops', queries: [{ expr, legend }] }
  }
  if (shown.unit === 'dateTimeFromNow')
    return { ...shown, type: 'stat', queries: [{ expr: `(${name}{${hosts}} > 0) * 1000`, legend }] }
  return { ...shown, queries: [{ expr: `${name}{${hosts}}`, legend }] }
}

const panelsOf = ({ shown, process }: Dashboard): ReadonlyArray<Panel> => [
  ...shown.map(name => {
    const isOutbound = name.startsWith('svc_outbound_requests') || name.startsWith('svc_outbound_rate')
    return panelOf(name, metrics[name], isOutbound ? ',target="chat"' : '')
  }),
  ...process.map(([name, about]) => panelOf(name, { kind: 'gauge', labels: [], help: about })),
]

/** The queries of the dashboards, with the variables of Grafana in them. */
export const dashboardQueries: ReadonlyArray<string> = Object.values(dashboards).flatMap(dashboard =>
  panelsOf(dashboard).flatMap(({ queries }) => queries.map(({ expr }) => expr)),
)

/** A dashboard as JSON that Grafana imports. */
export const renderDashboard = (name: DashboardName): string =>
  `${JSON.stringify(
    {
      uid: `kronika-${name}`,
      title: dashboards[name].title,
      description:
        'Made by `npm run docs` from protocol/metric.ts and src/reference/monitoring/dashboards.ts; do not edit.',
      tags: ['kronika'],
      schemaVersion: 39,
      editable: true,
      time: { from: 'now-6h', to: 'now' },
      refresh: '30s',
      templating: { list: variables },
      panels: panelsOf(dashboards[name]).map(layPanel),
    },
    null,
    2,
  )}\n`

/** A panel of a dashboard of Grafana. */
interface Panel {
  readonly title: string
  readonly about: string
  readonly type: 'timeseries' | 'stat'
  readonly unit: string
  readonly queries: ReadonlyArray<{ readonly expr: string; readonly legend: string }>
}

const datasource = { type: 'prometheus', uid: '${datasource}' }
const [columns, width, height] = [3, 8, 8]

const layPanel = ({ title, about, type, unit, queries }: Panel, at: number): object => ({
  id: at + 1,
  type,
  title,
  description: about,
  datasource,
  gridPos: { x: (at % columns) * width, y: Math.floor(at / columns) * height, w: width, h: height },
  fieldConfig: { defaults: { unit, min: unit === 'dateTimeFromNow' ? undefined : 0 }, overrides: [] },
  targets: queries.map(({ expr, legend }, nth) => ({
    refId: String.fromCharCode(65 + nth),
    datasource,
    expr,
    legendFormat: legend,
  })),
})

const variables = [
  { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
  {
    name: 'instance',
    label: 'Host',
    type: 'query',
    datasource,
    query: { query: 'label_values(svc_build_info, instance)', refId: 'instance' },
    refresh: 2,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  },
]
