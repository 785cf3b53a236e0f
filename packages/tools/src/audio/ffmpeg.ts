/** Owns the question whether the host has what opens sound. */
import type { EffectsResult } from '../definition.ts'
import type { Inspector } from '../inspector.ts'

export async function withoutFfmpeg(
  inspect: Inspector,
): Promise<Extract<EffectsResult, { kind: 'unavailable' }> | undefined> {
  for (const name of ['ffprobe', 'ffmpeg']) {
    if (!(await inspect.program(name)))
      return {
        kind: 'unavailable',
        reason: `There is no ${name} on this host.`,
        fix: 'apt-get install ffmpeg',
      }
  }
  return undefined
}
