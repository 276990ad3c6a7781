import { alertGroupNames, alerts, type NamedAlert } from './alerts.js'
import { renderDuration, renderQuery } from './render-query.js'
import { linkAlert } from './runbook.js'

const notice = '# Made by `npm run docs` from the tables in protocol/alerts/; do not edit.'

const ruleOf = (alert: NamedAlert, timeDivisor: number): ReadonlyArray<string> => [
  `      - alert: ${alert.name}`,
  `        expr: ${JSON.stringify(renderQuery(alert.query, timeDivisor))}`,
  ...(alert.holdSeconds === 0 ? [] : [`        for: ${renderDuration(alert.holdSeconds / timeDivisor)}`]),
  '        labels:',
  `          severity: ${alert.severity}`,
  '        annotations:',
  `          summary: ${JSON.stringify(alert.summary)}`,
  `          runbook: ${JSON.stringify(`docs/runbook/${linkAlert(alert)}`)}`,
]

/**
 * The file of rules for Prometheus, as YAML. Every time in the rules is divided by `timeDivisor`, so that a test sees
 * within a second what takes a minute.
 */
export const renderRules = (timeDivisor = 1): string =>
  [
    notice,
    'groups:',
    ...alertGroupNames.flatMap(group => [
      `  - name: kronika-${group}`,
      '    rules:',
      ...alerts.filter(alert => alert.group === group).flatMap(alert => ruleOf(alert, timeDivisor)),
    ]),
    '',
  ].join('\n')
