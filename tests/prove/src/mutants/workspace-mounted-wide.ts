/** The file agent sees what lies around the workspace, and takes the whole tree for its own. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/sandbox/bubblewrap.ts',
    from: "plan.push('--chdir', instead ? '/' : workingDirectory(service.cwd), '--clearenv')",
    to: `const around = join(setup.workspace, '../..')
  plan.push('--bind', around, around)
  plan.push('--chdir', instead ? '/' : workingDirectory(service.cwd), '--clearenv')`,
  },
  {
    file: 'executor/src/sandbox/file-program.ts',
    from: `if (place !== root && !place.startsWith(\`\${root}/\`)) throw new Refusal('outside-workspace')`,
    to: `if (!place.startsWith('/')) throw new Refusal('outside-workspace')`,
  },
])
