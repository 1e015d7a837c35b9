#pragma once
// The line language as a tree: a small part of Python's grammar, enough for lines of tensor code.

#include "core/index.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stridescope::expr {

enum class NodeKind : std::uint8_t {
    Name,      ///< text
    Integer,   ///< integer
    Float,     ///< number
    Bool,      ///< integer: 0 or 1
    None,      ///< None
    Text,      ///< text
    Ellipsis,  ///< ...
    Missing,   ///< an absent bound of a slice
    Tuple,     ///< children
    List,      ///< children
    Slice,     ///< children: start, end, step
    Attribute, ///< children[0] . text
    Call,      ///< children[0] ( children[1] … ); `keywords` names the arguments
    Subscript, ///< children[0] [ children[1] … ]
    Unary,     ///< text: "-", "+" or "~"
    Binary,    ///< text: + - * / // % @ ** & | ^ << >> or a comparison; two children
};

/// One node and the characters [begin, end) of the source that it stands for (0-based).
struct Node {
    NodeKind kind = NodeKind::None;
    Index begin = 0, end = 0;
    std::string text;
    Index integer = 0;
    double number = 0;
    std::vector<Node> children;
    std::vector<std::string> keywords; ///< Call only, one for each argument; empty: positional
    int height = 1;                    ///< of the tree below, itself included; bounded by ParseLimits::depth
};

enum class StatementKind : std::uint8_t {
    Expression,
    Assign,  ///< targets = value; each target is a Name or a Subscript; more than one: unpacking
    Augment, ///< targets[0] op= value; `op` is an arithmetic or bitwise one: "+", "**", ">>"
    Delete,  ///< del targets (names)
    Import,  ///< import torch: allowed, does nothing
};

struct Statement {
    StatementKind kind = StatementKind::Expression;
    Index begin = 0, end = 0;
    std::vector<Node> targets;
    bool unpack = false; ///< "a, b = value" or "a, = value"
    std::string op;
    Node value;
};

/// The statements of a text, in order.
struct Program {
    std::vector<Statement> statements;
};

} // namespace stridescope::expr
