// Package spelling finds the word that was probably meant.
package spelling

import "strings"

// maxWord bounds the work: a longer word is not a misspelt field.
const maxWord = 64

// Nearest returns the candidate that is spelt most like word, or "" if none is near. It ignores case,
// because wrong case is the most common mistake.
func Nearest(word string, candidates []string) string {
	if len(word) > maxWord {
		return ""
	}
	best, bestDistance := "", max(1, len(word)/3)+1
	for _, candidate := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// IsMisspelt reports whether a word is spelt like one of the candidates, except for at most two letters, or one in a
// short word.
func IsMisspelt(word string, candidates []string) bool {
	const most = 2
	near := Nearest(word, candidates)
	return near != "" && distance(strings.ToLower(word), strings.ToLower(near)) <= most
}

// distance returns how many letters to add, remove, change or swap with a neighbour.
func distance(a, b string) int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
		table[i][0] = i
	}
	for j := range table[0] {
		table[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := table[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			table[i][j] = min(change, table[i-1][j]+1, table[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				table[i][j] = min(table[i][j], table[i-2][j-2]+1)
			}
		}
	}
	return table[len(a)][len(b)]
}
