export interface Sample {
  /** Since the start, in milliseconds. */
  at: number
  value: number
}

/** Fits a line to the samples (least squares). Returns its growth from the first to the last sample, as a share of its start. */
export function growthOf(samples: readonly Sample[]): number {
  const count = samples.length
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / count
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)]
  const spread = mean(({ at }) => (at - meanAt) ** 2)
  const slope = spread === 0 ? 0 : mean(({ at, value }) => (at - meanAt) * (value - meanValue)) / spread
  const [first, last] = [samples[0]!, samples.at(-1)!]
  return (slope * (last.at - first.at)) / (meanValue + slope * (first.at - meanAt))
}
