/** Owns opening and starting a kernel in one step, for tests: closing it closes its database too. */
import type { Kernel, KernelOptions, KernelParts, OpenedKernel } from '../kernel.ts'
import { openKernel } from '../open-kernel.ts'

export async function openWholeKernel(
  options: KernelOptions,
  partsOf: (opened: OpenedKernel) => KernelParts,
): Promise<Kernel> {
  const opened = await openKernel(options)
  const kernel = await opened.start(partsOf(opened))
  return {
    ...kernel,
    async close() {
      await kernel.close()
      await opened.close()
    },
  }
}
