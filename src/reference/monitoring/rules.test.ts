import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { type Metric, metrics } from '#protocol/metric.js'
import { alertGroupNames, alertGroups, alertQuery, alerts, queryWindow, threshold } from './alerts.js'
import { dashboardQueries } from './dashboard.js'
import { renderDuration, renderQuery } from './render-query.js'
import { renderRules } from './rules.js'

const metricOf = (series: string): Metric | undefined =>
  Object.entries<Metric>(metrics).find(([name, { kind }]) =>
    kind === 'histogram' ? series.replace(/_(?:bucket|count|sum)$/, '') === name : series === name,
  )?.[1]

/** The series and labels of a query that the table of metrics does not have. */
const findUnknown = (query: string): ReadonlyArray<string> =>
  [...query.matchAll(/\b(svc_\w+)(?:\{([^}]*)\})?/g)].flatMap(([, series = '', matchers = '']) => {
    const metric = metricOf(series)
    if (metric === undefined) return [series]
    return [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
      .map(found => found[1] ?? '')
      .filter(label => label !== 'instance' && !metric.labels.includes(label))
      .map(label => `${series}{${label}}`)
  })

describe('the queries of the alerts and the dashboard', () => {
  it('name series and labels of the table of metrics alone', () => {
    deepEqual(
      [...alerts.map(({ query }) => renderQuery(query)), ...dashboardQueries].flatMap(findUnknown),
      [],
    )
    deepEqual(findUnknown('svc_none > 0'), ['svc_none'])
    deepEqual(findUnknown('svc_actor_state{town="x"}'), ['svc_actor_state{town}'])
  })

  it('have every series of an alert as a part, so that its name is checked by its type', () => {
    for (const { name, query } of alerts) ok(!query.texts.join('').includes('svc_'), name)
  })

  it('are written in one line, with their times divided', () => {
    const query = alertQuery`increase(${'svc_jobs'}${queryWindow(1_800)})
      > ${threshold(60)}`
    equal(renderQuery(query), 'increase(svc_jobs[30m]) > 60')
    equal(renderQuery(query, 60), 'increase(svc_jobs[30s]) > 1')
    deepEqual([0, 0.5, 90, 120].map(renderDuration), ['0s', '500ms', '90s', '2m'])
  })
})

describe('the rules', () => {
  it('have each alert once, under a name of its own', () => {
    const names = alertGroupNames.flatMap(group => Object.keys(alertGroups[group]))
    deepEqual(
      [...renderRules().matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
      names,
    )
    equal(new Set(names).size, names.length)
    deepEqual(alertGroupNames.toSorted(), Object.keys(alertGroups).toSorted())
  })

  it('divide the time that an alert is pending', () => {
    ok(renderRules().includes('        for: 15m\n'))
    ok(renderRules(60).includes('        for: 15s\n'))
  })
})
