/** Looks whether the programs of this machine can speak and listen, where they are chosen for it. */
import { existsSync } from 'node:fs'
import { localSpeechPurpose } from '../../local-speech.ts'
import { speechPartFolder, speechPartProblem } from '../speech-part.ts'
import { type DoctorFinding, ok, warning } from './finding.ts'

interface ChosenModels {
  readonly models: readonly string[]
}

/** The sandbox finds programs in these folders only. */
const programFolders = ['/usr/local/bin', '/usr/bin', '/bin']

export async function speech(
  routes: readonly ChosenModels[],
  paths: { readonly data: string },
  folders: readonly string[] = programFolders,
): Promise<DoctorFinding> {
  const chosen = new Set(routes.flatMap(({ models }) => models).map(localSpeechPurpose))
  chosen.delete(undefined)
  if (chosen.size === 0) return ok('speech', 'no program of this machine is chosen for speech')
  const needed = chosen.has('speech') ? ['espeak-ng', 'ffmpeg'] : ['ffmpeg']
  const missing = needed.filter((name) => !folders.some((folder) => existsSync(`${folder}/${name}`)))
  if (missing.length > 0)
    return warning('speech', `missing: ${missing.join(', ')}`, `apt-get install ${missing.join(' ')}`)
  const problem = chosen.has('transcription') ? await speechPartProblem(speechPartFolder(paths)) : undefined
  return problem ? warning('speech', problem.what, problem.next) : ok('speech', [...chosen].join(', '))
}
