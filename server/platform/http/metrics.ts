import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from 'pg'

/**
 * The metrics of this process (R21): request times, refusals, the pool, and the metrics of prom-client. Each name has the
 * prefix of this program, because one Prometheus may collect those of many.
 */
export function createMetrics(pool: Pool) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'zimmer_' })
  const requestSeconds = new Histogram({
    name: 'zimmer_http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.015, 0.05, 0.15, 0.5, 1.5, 5],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'zimmer_http_refusals_total',
    help: 'Refused requests by code',
    labelNames: ['code'],
    registers: [registry],
  })
  const overloads = new Counter({
    name: 'zimmer_overload_refusals_total',
    help: 'Requests refused with 503 while the process was overloaded',
    registers: [registry],
  })
  const earlyAnswers = new Counter({
    name: 'zimmer_http_early_answers_total',
    help: 'Requests that were answered before the framework read them, as `zimmer_http_request_duration_seconds` counts too',
    registers: [registry],
  })
  const connections = new Gauge({
    name: 'zimmer_database_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'all' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  void connections
  const streams = new Gauge({ name: 'zimmer_live_streams', help: 'Open live streams', registers: [registry] })
  return { registry, requestSeconds, refusals, overloads, earlyAnswers, streams }
}
