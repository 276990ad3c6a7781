import { equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'mocha'
import { alerts, type NamedAlert } from '#src/reference/monitoring/alerts.js'
import { linkAlert } from '#src/reference/monitoring/runbook.js'
import { temporaryFolder } from '#test/support/repository.js'
import { root } from '#test/tidy/sources.js'
import { hasTool } from '../tool.js'
import { type AlertExample, alertExamples } from './alert-examples.js'

const rulesFile = join(root, 'deploy/prometheus/kronika.rules.yml')

const examplesOf = (alert: NamedAlert): ReadonlyArray<AlertExample> =>
  Object.entries(alertExamples).find(([name]) => name === alert.name)?.[1] ?? []

const fillSummary = ({ summary }: NamedAlert, { labels, value }: AlertExample): string =>
  summary
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels?.[label] ?? '')
    .replaceAll('{{ $value }}', String(value))

/** A test of promtool, as the YAML that JSON is. */
const ruleTest = (alert: NamedAlert, example: AlertExample): object => ({
  name: alert.name,
  interval: '1m',
  input_series: Object.entries(example.series).map(([series, values]) => ({ series, values })),
  alert_rule_test: [
    ...example.quietAtMin.map(atMin => ({ eval_time: `${atMin}m`, alertname: alert.name, exp_alerts: [] })),
    ...(example.labels === null
      ? []
      : [
          {
            eval_time: `${example.firesAtMin}m`,
            alertname: alert.name,
            exp_alerts: [
              {
                exp_labels: { ...example.labels, severity: alert.severity },
                exp_annotations: {
                  summary: fillSummary(alert, example),
                  runbook: `docs/runbook/${linkAlert(alert)}`,
                },
              },
            ],
          },
        ]),
  ],
})

const runPromtool = (
  ...args: ReadonlyArray<string>
): { readonly status: number | null; readonly text: string } => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

/** Runs the examples of all alerts against rules. */
const testRules = (rules: string): { readonly status: number | null; readonly text: string } => {
  const folder = temporaryFolder()
  try {
    writeFileSync(join(folder.path, 'rules.yml'), rules)
    const tests = alerts.flatMap(alert => examplesOf(alert).map(example => ruleTest(alert, example)))
    const file = { rule_files: ['rules.yml'], evaluation_interval: '1m', tests }
    writeFileSync(join(folder.path, 'tests.yml'), JSON.stringify(file))
    return runPromtool('test', 'rules', join(folder.path, 'tests.yml'))
  } finally {
    folder.dispose()
  }
}

describe('the rules for Prometheus', () => {
  before(function () {
    if (!hasTool('promtool')) this.skip()
  })

  it('pass promtool check rules', () => {
    const { status, text } = runPromtool('check', 'rules', rulesFile)
    equal(status, 0, text)
    ok(text.includes(`${alerts.length} rules found`), text)
  })

  it('each fire and resolve, as promtool test rules shows', () => {
    for (const alert of alerts) ok(examplesOf(alert)[0]?.labels !== null, alert.name)
    const { status, text } = testRules(readFileSync(rulesFile, 'utf8'))
    equal(status, 0, text)
  })

  it('fail the examples where they never fire', () => {
    const rules = readFileSync(rulesFile, 'utf8').replaceAll(
      /^ {8}expr: .*$/gm,
      '        expr: vector(0) > 1',
    )
    const { status, text } = testRules(rules)
    equal(status, 1, text)
    for (const { name } of alerts) ok(text.includes(`alertname: ${name}`), `${name} of ${text}`)
  })
})
