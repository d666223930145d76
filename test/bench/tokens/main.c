// Tokens reads YAML with C's libyaml from standard input, and only counts its tokens.
#include <stdio.h>
#include <yaml.h>

int main(void) {
	yaml_parser_t parser;
	yaml_token_t token;
	yaml_token_type_t type;
	long count = 0;
	if (!yaml_parser_initialize(&parser)) return 1;
	yaml_parser_set_input_file(&parser, stdin);
	do {
		if (!yaml_parser_scan(&parser, &token)) return 1;
		type = token.type;
		yaml_token_delete(&token);
		count++;
	} while (type != YAML_STREAM_END_TOKEN);
	printf("%ld tokens\n", count);
	return 0;
}
