import type { ToolDefinition } from '../definition.ts'
import { gitAdd } from './git-add.ts'
import { gitBranch } from './git-branch.ts'
import { gitCheckout } from './git-checkout.ts'
import { gitCommit } from './git-commit.ts'
import { gitDiff } from './git-diff.ts'
import { gitLog } from './git-log.ts'
import { gitRestoreBranch } from './git-restore-branch.ts'
import { gitRestoreIndex } from './git-restore-index.ts'
import { gitStatus } from './git-status.ts'
import { gitUndoCommit } from './git-undo-commit.ts'

export const gitTools: readonly ToolDefinition[] = [
  gitStatus,
  gitDiff,
  gitLog,
  gitAdd,
  gitCommit,
  gitBranch,
  gitCheckout,
  gitRestoreIndex,
  gitUndoCommit,
  gitRestoreBranch,
]
