// SPDX-License-Identifier: Apache-2.0
// The sizes of windows that screens care about; the style sheets have the same limits.
import { useEffect, useState } from 'preact/hooks';

function useMedia(query: string): boolean {
  const media = matchMedia(query);
  const [matches, setMatches] = useState(media.matches);
  useEffect(() => {
    const change = () => setMatches(media.matches);
    media.addEventListener('change', change);
    return () => media.removeEventListener('change', change);
  }, [query]);
  return matches;
}

export const useNarrow = (): boolean => useMedia('(max-width: 760px)');  // as narrow as a phone

// Pixels of a line of JSON or text: larger where there are as many pixels as on a 4K screen.
export const useLineHeight = (): number => (useMedia('(min-width: 2600px)') ? 28 : 20);
