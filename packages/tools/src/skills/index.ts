import type { ToolDefinition } from '../definition.ts'
import { addSkill } from './add-skill.ts'
import { fetchServerSkill } from './fetch-server-skill.ts'
import { pinSkill } from './pin-skill.ts'
import { proposeSkill } from './propose-skill.ts'
import { readProposedSkill } from './read-proposed-skill.ts'
import { readSkillFileTool } from './read-skill-file.ts'
import { removeProposedSkill } from './remove-proposed-skill.ts'
import { removeSkill } from './remove-skill.ts'
import { reviewProposedSkill } from './review-proposed-skill.ts'
import { reviewSkill } from './review-skill.ts'
import { runSkillScript } from './run-skill-script.ts'
import { switchSkill } from './switch-skill.ts'
import { useSkill } from './use-skill.ts'

export { signedBy } from './publisher.ts'
export { skillFolder } from './run-skill-script.ts'
export { usableSkill } from './usable-skill.ts'

export const skillTools: readonly ToolDefinition[] = [
  useSkill,
  readSkillFileTool,
  runSkillScript,
  proposeSkill,
  fetchServerSkill,
  readProposedSkill,
  reviewProposedSkill,
  removeProposedSkill,
  addSkill,
  reviewSkill,
  switchSkill,
  pinSkill,
  removeSkill,
]
