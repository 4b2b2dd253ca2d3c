#pragma once

#include <stdexcept>
#include <string>

namespace tapehead {

/// Base of every error that tapehead throws on purpose. The type says who is to blame; the message
/// says what was found, what was expected, where, and how to mend it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's shapes do not fit together.
class ShapeError : public Error {
 public:
  using Error::Error;
};

/// The caller's value is outside what the operation is defined for.
class ValueError : public Error {
 public:
  using Error::Error;
};

/// An object is used at a time when it cannot be used (a stale Var, a second backward, ...).
class StateError : public Error {
 public:
  using Error::Error;
};

/// A NaN or an infinity arose where checking was asked for.
class NonFiniteError : public Error {
 public:
  using Error::Error;
};

/// A file is missing, damaged, or not what it should be.
class IoError : public Error {
 public:
  using Error::Error;
};

}  // namespace tapehead
