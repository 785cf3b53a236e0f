/** Owns how a test shows that work stays in proportion to its input, on any machine: it compares two sizes, no clock. */

const times = 8
/** What is in proportion comes to about 8, and the square to 64. */
export const mostGrowth = 40

const rounds = 3
/** The count of what a thread computed moves in steps of a few milliseconds, so short work is repeated. */
const leastCounted = 20_000

/** How many times the work on an input of one size the work on an input of eight times that size is. */
export async function growthOf<Input>(
  size: number,
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
): Promise<number> {
  const inputs = { small: inputOf(size), large: inputOf(size * times) }
  const small: number[] = []
  const large: number[] = []
  await work(inputs.small)
  // The least is the one that was disturbed least.
  for (let round = 0; round < rounds; round += 1) {
    small.push(await computed(() => work(inputs.small)))
    large.push(await computed(() => work(inputs.large)))
  }
  return Math.min(...large) / Math.min(...small)
}

/** What this thread computes for the work, in microseconds, whatever else the machine does meanwhile. */
export async function computed(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs += 1) {
    await work()
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= leastCounted) return (user + system) / runs
  }
}
