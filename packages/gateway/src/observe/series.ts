/** Owns sums and histograms by label. Who adds to them bounds the labels. */
import type { MetricFamily, MetricLabels, MetricSample } from './exposition.ts'

export interface Counter {
  add(labels: MetricLabels, amount: number): void
  family(): MetricFamily
}

export interface Histogram {
  observe(labels: MetricLabels, value: number): void
  family(): MetricFamily
}

export function createCounter(name: string, help: string): Counter {
  const sums = new Map<string, { readonly labels: MetricLabels; value: number }>()
  return {
    add(labels, amount) {
      const series = seriesOf(sums, labels, () => ({ labels, value: 0 }))
      series.value += amount
    },
    family: () => ({ name, help, type: 'counter', samples: [...sums.values()] }),
  }
}

export function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const all = new Map<
    string,
    { readonly labels: MetricLabels; readonly buckets: number[]; count: number; sum: number }
  >()
  return {
    observe(labels, value) {
      const series = seriesOf(all, labels, () => ({ labels, buckets: bounds.map(() => 0), count: 0, sum: 0 }))
      series.count += 1
      series.sum += value
      // Each bucket counts everything below its bound.
      for (const [index, bound] of bounds.entries())
        if (value <= bound) series.buckets[index] = (series.buckets[index] ?? 0) + 1
    },
    family() {
      const samples = [...all.values()].flatMap(({ labels, buckets, count, sum }): MetricSample[] => [
        ...bounds.map((bound, index) => bucket(labels, String(bound), buckets[index] ?? 0)),
        bucket(labels, '+Inf', count),
        { suffix: '_sum', labels, value: sum },
        { suffix: '_count', labels, value: count },
      ])
      return { name, help, type: 'histogram', samples }
    },
  }
}

function bucket(labels: MetricLabels, bound: string, value: number): MetricSample {
  return { suffix: '_bucket', labels: { ...labels, le: bound }, value }
}

function seriesOf<Series>(all: Map<string, Series>, labels: MetricLabels, begin: () => Series): Series {
  const key = JSON.stringify(Object.values(labels))
  const known = all.get(key)
  if (known !== undefined) return known
  const series = begin()
  all.set(key, series)
  return series
}
