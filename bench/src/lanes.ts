/** Owns concurrency: a number of jobs, so many at a time, each begun when another has ended. */
export async function inLanes(
  count: number,
  concurrency: number,
  job: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  async function lane(): Promise<void> {
    for (let index = next++; index < count; index = next++) await job(index)
  }
  await Promise.all(Array.from({ length: Math.min(count, concurrency) }, lane))
}
