import { command } from '../../command/command.ts'

export const completionCommand = command({
  words: ['completion'],
  about: 'Words that your shell completes, with the names of your objects',
  more: [
    'Prints what the shell is to be told once. bash: add "source <(gantry completion bash)" to ~/.bashrc. zsh: add "source <(gantry completion zsh)" to ~/.zshrc, behind compinit. fish: "gantry completion fish > ~/.config/fish/completions/gantry.fish".',
  ],
  args: [{ name: 'SHELL', about: 'bash, zsh or fish', offer: { words: ['bash', 'zsh', 'fish'] } }],
  flags: [],
  examples: [
    { line: 'gantry completion bash', about: 'For bash' },
    { line: 'gantry completion zsh', about: 'For zsh' },
    { line: 'gantry completion fish', about: 'For fish' },
  ],
})
