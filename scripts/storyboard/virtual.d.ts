declare module 'virtual:storyboard' {
  import type { StoryboardData } from './data.ts'

  const data: StoryboardData
  export default data
}
