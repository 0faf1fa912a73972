export function findChromium(): Promise<string | null>
export function installChromium(say: (text: string) => void): Promise<string | null>
