import { COMMANDS, type CommandOptions, findUsage } from '../commands.ts'

/** A command that writes needs an operator and a reason. */
export const addSignature = (words: readonly string[], options: CommandOptions = {}): CommandOptions =>
  COMMANDS[findUsage(words) ?? '']?.writes ? { by: 'Awa', because: 'a test', ...options } : options
