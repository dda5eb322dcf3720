# A language that the example does not know.
puts "hello"
