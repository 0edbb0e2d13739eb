/** The text format 0.0.4 of Prometheus, as `promtool check metrics` wants it. */
import { expect, test } from 'bun:test'
import { counter, gauge, gaugeText, histogram } from '../../src/lib/metrics.ts'
import { ServiceMetrics } from '../../src/lib/service-metrics.ts'
import { expositionErrors } from '../support/exposition.ts'

test('a counter has a HELP line, a TYPE line and one line for each combination of labels', () => {
  const requests = counter({ name: 'requests_total', help: 'Requests.', labels: ['class', 'status'] })
  requests.of('api', 200).add()
  requests.of('api', 200).add(2)
  requests.of('page', 404).add()
  expect(requests.text()).toBe(
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{class="api",status="200"} 3',
      'requests_total{class="page",status="404"} 1',
      '',
    ].join('\n'),
  )
})

test('a histogram counts each duration in its bucket and in all larger ones', () => {
  const waits = histogram({ name: 'wait_seconds', help: 'Waits.' })
  for (const seconds of [0.001, 0.005, 0.3, 60]) waits.of().observe(seconds)
  const lines = waits.text().split('\n')
  expect(lines).toContain('wait_seconds_bucket{le="0.005"} 2')
  expect(lines).toContain('wait_seconds_bucket{le="0.25"} 2')
  expect(lines).toContain('wait_seconds_bucket{le="0.5"} 3')
  expect(lines).toContain('wait_seconds_bucket{le="10"} 3')
  expect(lines).toContain('wait_seconds_bucket{le="+Inf"} 4')
  expect(lines).toContain('wait_seconds_count 4')
  expect(lines).toContain(`wait_seconds_sum ${0.001 + 0.005 + 0.3 + 60}`)
})

test('label values are escaped; an instrument without values is left out', () => {
  const text = gaugeText({ name: 'named', help: 'Names.', labels: ['name'] }, [['a"b\\c\nd', 1]])
  expect(text).toContain('named{name="a\\"b\\\\c\\nd"} 1\n')
  expect(gaugeText({ name: 'nothing', help: 'Nothing.', labels: ['name'] }, [])).toBe('')
  expect(gauge({ name: 'kinds', help: 'Kinds.', labels: ['kind'] }).text()).toBe('')
})

test('what the service counts keeps the rules of the format', () => {
  const metrics = new ServiceMetrics()
  metrics.requests.of('api', 200).add()
  metrics.requestSeconds.of('api').observe(0.01)
  metrics.jobsRunning.of('seal').add()
  expect(expositionErrors(metrics.text())).toEqual([])
})

test('the check of the format finds what it looks for', () => {
  const wrong = [
    'a_total 1',
    '# HELP a_total A.\n# TYPE a_total gauge\na_total 1',
    '# HELP a A.\n# TYPE a counter\na 1',
    '# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 1',
    '# HELP a A.\n# TYPE a gauge\na 1\na 2',
    '# HELP a_seconds A.\n# TYPE a_seconds histogram\na_seconds_bucket{le="1"} 2\na_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 1',
    '# HELP a A.\n# TYPE a gauge\na NaNs',
  ]
  expect(wrong.filter(text => expositionErrors(`${text}\n`).length === 0)).toEqual([])
})
